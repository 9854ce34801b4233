// SPDX-License-Identifier: Apache-2.0
// What clients saw, put beside the plan: shares and loads by service, rates by zone and Pod, and
// money. Pure.
#pragma once

#include <map>
#include <string>

#include "core/plan/cluster_plan.h"
#include "web/live_source.h"
#include "web/live_state.h"

namespace proxima::web {

// The same rows over different spans: a policy that begins to work shows within seconds, while the
// load of one endpoint needs more requests to be more than chance.
struct MeasuredWindows {
  std::vector<SeenTraffic> flows;
  double flow_seconds = 0;  // 0: nothing was measured
  // Of each service as many seconds as its load window has.
  std::vector<SeenTraffic> loads;
  std::map<std::string, int, std::less<>> load_seconds;  // by "namespace/name"
  TrafficTotals totals;
};

// So many requests an endpoint, on average, make its load a figure rather than chance. A window
// that grows no more shows what it has: the margin says how much that is worth.
inline constexpr double kRequestsOfAnEndpoint = 100;

struct Money {
  double per_unit = 0;  // what one GB costs at a price of 1 in the plan's matrix
};

// Fills in what is measured of zones, Pods and services, and the totals. `plan` is the one that the
// services' pictures were made of.
void add_measured(MeasuredWindows windows, const plan::ClusterPlan& plan, Money money,
                  LiveState& state);

}  // namespace proxima::web
