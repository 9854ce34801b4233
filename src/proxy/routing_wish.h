// SPDX-License-Identifier: Apache-2.0
// What a Service itself asks of the node proxy beside what its slices say: topology keys and
// `require-zone`, whose strict end no hint can express, and, where nobody plans for the cluster,
// the preferences that need nothing but the slices.
#pragma once

#include <cstdint>
#include <vector>

#include "core/policy/settings.h"
#include "kube/service_record.h"

namespace proxima::proxy {

struct RoutingWish {
  enum class Kind : std::uint8_t {
    FollowSlices,
    TopologyKeys,
    PreferSameNode,
    PreferSameZone,
    RequireZone,
  };
  Kind kind = Kind::FollowSlices;
  std::vector<Text> keys;    // for TopologyKeys
  bool uses_hints = true;    // false: the gate TopologyAwareHints is off
  bool follows_keys = true;  // false: the gate ServiceTopology is off, for published keys too
};

struct WishOptions {
  // Hints and splits still win where slices carry them.
  bool plans_by_itself = false;
  policy::Settings defaults = {};
};

// By the precedence of core/policy/settings, with the gates of the defaults; what a Namespace says
// is left to the controller.
RoutingWish routing_wish(const kube::ServiceRecord& service, const WishOptions& options);

}  // namespace proxima::proxy
