// SPDX-License-Identifier: Apache-2.0
// The status conditions that KEP-4444 proposes for a Service, as values. Types carry our domain, as
// that document asks of other implementations.
#pragma once

#include <array>
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

// What the node proxies have reported; nobody can know from a file.
enum class DataPlaneReport { None, AllApplied, SomeBehind };

// Accepted, Programmed, Honored, in this order.
std::array<ServiceCondition, 3> service_conditions(const ClusterPlan& plan,
                                                   const ServicePlan& service,
                                                   DataPlaneReport report);

}  // namespace proxima::plan
