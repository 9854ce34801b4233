// SPDX-License-Identifier: Apache-2.0
// The status conditions that KEP-4444 proposes for a Service, as values. Types carry our domain, as
// that document asks of other implementations.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/plan/cluster_plan.h"

namespace proxima::plan {

enum class ConditionStatus { True, False, Unknown };
std::string_view to_text(ConditionStatus status);

// "OverloadTooHigh": the code of a reason as conditions and Events want it.
std::string condition_reason(policy::Reason reason);

// Why what was asked for does not count: refused, or switched off for the cluster. Null: it counts,
// or nothing was asked for.
const policy::Note* not_accepted(const ClusterPlan& plan, const ServicePlan& service);

struct ServiceCondition {
  std::string_view type;  // "proxima.io/TrafficDistributionAccepted", …Programmed, …Honored
  ConditionStatus status = ConditionStatus::Unknown;
  std::string reason;   // CamelCase, as the API wants it: from the reason table
  std::string message;  // its sentence
};

// What node proxies reported about one Service.
struct PlanFollowing {
  std::uint64_t plan = 0;       // the newest resourceVersion among its EndpointSlices
  std::uint32_t nodes = 0;      // ready ones
  std::uint32_t following = 0;  // of them, those that route this plan
  std::uint32_t reporting = 0;  // of them, those that reported lately
  // What keeps the others from following, the worst last.
  enum class Lag : std::uint8_t { None, Silent, Behind, CannotRead };
  Lag lag = Lag::None;
  // The node with the worst lag, and for how long it has been silent or behind.
  std::string lagging_node;
  std::chrono::seconds lagging_for{0};

  std::uint64_t connections = 0;  // that were counted lately; 0: too few to say anything
  double local_share = 0;         // of them, those that stayed in their zone
  double planned_local_share = 0;
};

// Null: nobody can know, for example from a file.
ServiceCondition honored_condition(const PlanFollowing* following);

// Accepted, Programmed, Honored, in this order.
std::array<ServiceCondition, 3> service_conditions(const ClusterPlan& plan,
                                                   const ServicePlan& service);

}  // namespace proxima::plan
