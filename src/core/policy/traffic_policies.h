// SPDX-License-Identifier: Apache-2.0
// Where a Service's internal and external traffic policies leave room for a topology policy:
// Local is the stronger wish, each for its own kind of traffic.
#pragma once

#include <optional>
#include <span>

#include "core/model/service.h"
#include "core/policy/reason.h"

namespace proxima::policy {

// The flags are what select_endpoints takes.
struct TrafficPolicies {
  bool internal_policy_local = false;
  bool external_policy_local = false;
  bool externally_accessible = false;
  // Why the topology policy does not decide for this kind of traffic; none: it does.
  std::optional<Note> internal;
  std::optional<Note> external;
};

// For one port of the service, or for several taken together: one node port is enough to be
// reached from outside. A Service that cannot be reached from outside has no external traffic, so
// its external policy changes nothing.
TrafficPolicies traffic_policies(const model::Service& service,
                                 std::span<const model::ServicePort> ports);

}  // namespace proxima::policy
