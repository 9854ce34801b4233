// SPDX-License-Identifier: Apache-2.0
// Which endpoints of a service port this node uses, with which weights and why: what the slices,
// the Service and the Node say, put to core/route, which decides for `explain` as well.
#pragma once

#include <optional>
#include <span>

#include "core/policy/reason.h"
#include "core/route/zone_split.h"
#include "proxy/backend.h"
#include "proxy/routing_wish.h"
#include "proxy/service_endpoint.h"
#include "proxy/service_port.h"

namespace proxima::proxy {

// A policy::Note that may be kept.
struct RouteReason {
  policy::Reason reason = policy::Reason::NoEndpoints;
  Text subject;
  std::int64_t count = 0;
  double share = 0;

  // Borrows the subject.
  policy::Note note() const {
    return {.reason = reason, .subject = subject.view(), .count = count, .share = share};
  }
  friend bool operator==(const RouteReason&, const RouteReason&) = default;
};

struct ChoiceInput {
  const ServicePort& port;
  std::span<const ServiceEndpoint> endpoints;  // of the port
  const NodeView& node;
  const RoutingWish& wish;
  bool has_split = false;                 // the slices carry one
  const route::ZoneRow* split = nullptr;  // its row for this node's zone; null: it has none
  Text unreadable_split = {};             // the slice whose split cannot be read, if that is all
  bool uses_hints = true;                 // false: the gate TopologyAwareHints is off
  bool ignores_health = false;            // the slices say that all endpoints are to be used
  bool split_is_failover = false;         // the slices say that zones may not be left otherwise
};

struct BackendChoice {
  // Empty where the port has no traffic of that kind, and where there is nowhere to go.
  Backends cluster;
  Backends local;
  bool has_any = false;  // some endpoint, maybe elsewhere, would take traffic
  RouteReason why;       // for cluster-wide traffic, or for local traffic when there is no other
  // For traffic that stays on this node, when there is both.
  std::optional<RouteReason> why_local;
};

BackendChoice choose_backends(const ChoiceInput& input);

}  // namespace proxima::proxy
