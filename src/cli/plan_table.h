// SPDX-License-Identifier: Apache-2.0
// `proxima plan` as a table: one line a service and address family.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/table.h"
#include "core/plan/cluster_plan.h"
#include "core/plan/traffic.h"

namespace proxima::cli {

// A planned service with what its plan does to traffic.
struct PlannedService {
  plan::ServicePlan plan;
  plan::Traffic traffic;
};

enum class Width : bool { Usual, Wide };

// "balanced 20%", "auto".
std::string policy_label(const plan::ServicePlan& service);

// The family is a column only where some service has another one than IPv4, or in the wide table,
// which also counts the endpoints of each zone, shows the split, and gives the reason in both
// forms.
enum class ReasonForm : std::uint8_t { Code, Sentence };
Table plan_table(const plan::ClusterPlan& plan, const std::vector<PlannedService>& services,
                 Width width, ReasonForm reason);

// The usual table, with sentences where they fit and codes where half a sentence would be left.
std::string render_plan_table(const plan::ClusterPlan& plan,
                              const std::vector<PlannedService>& services,
                              const TableLayout& layout);

}  // namespace proxima::cli
