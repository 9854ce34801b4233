// SPDX-License-Identifier: Apache-2.0
// The whole story of one service seen from one place: how its policy was found, what the planner
// decided, what the node does with it, what was refused, and what would change it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/plan/cluster_plan.h"
#include "core/plan/published.h"
#include "core/plan/traffic.h"
#include "core/plan/what_if.h"

namespace proxima::plan {

struct From {
  model::NodeIndex node;  // none: see zone
  model::ZoneIndex zone;  // of the node, or asked for directly; none: a node without a zone
};

struct ExplainedEndpoint {
  std::uint32_t endpoint = 0;  // of the snapshot
  double share = 0;            // of the traffic from this place, by the plan
  double share_now = 0;        // as published now; equal to `share` when that is not known
  double load = 0;             // its load over its fair share, all places together; 1 is fair
  policy::Note why;            // why it is used, or not
};

struct Explanation {
  ServicePlan plan;
  std::vector<policy::Note> policy_chain;  // from where the policy came, strongest first
  std::vector<policy::Note> decisions;     // the planner's: see decisions_of()
  std::vector<policy::Note> on_node;       // the node's: what decided, then what was passed over
  // The same as published now; only where the node then routes differently from the plan.
  std::optional<std::vector<policy::Note>> on_node_now;
  std::vector<ExplainedEndpoint> endpoints;  // most used first
  Traffic traffic;                           // of the whole service
  Published published;                       // whether the slices say what the plan says
  std::vector<WhatIf> what_if;               // those that change something, best first
};

// Splits are published in thousandths, so shares differ by that much and still are the same.
inline constexpr double kPublishedStep = 0.0015;

// One family of one service; see plan_cluster for the plan.
Explanation explain(const ClusterPlan& plan, const ServicePlan& service, From from);

}  // namespace proxima::plan
