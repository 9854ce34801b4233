// SPDX-License-Identifier: Apache-2.0
// From flags to what the planner takes, with the small files that flags may name: prices, measured
// demand, traffic.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/options.h"
#include "core/plan/cluster_plan.h"
#include "core/plan/compare.h"

namespace proxima::cli {

// What crossing zones costs, for the planner and in money.
//
// Without a price file the planner sees distances (0 in the zone, 1 in the region, more between
// regions) and one unit costs --price-per-gb, so that a price of 0 changes the bill and not the
// plan. With a price file the planner sees the prices themselves.
struct Prices {
  plan::PriceRules rules;
  double money_per_unit = 0;
  std::string stated;  // a sentence about what was assumed
};
Result<Prices> read_prices(const PriceOptions& options, const model::Snapshot& snapshot);
// `text` is a price file; `source` its name.
Result<Prices> apply_price_file(std::string_view text, const std::string& source,
                                const PriceOptions& options, const model::Snapshot& snapshot);

struct StatedTraffic {
  plan::TrafficVolume volume;
  std::string stated;                      // a sentence about what was assumed
  std::vector<std::string> unknown_names;  // listed, but not in the cluster
};
Result<StatedTraffic> read_traffic(const std::string& file, const model::Snapshot& snapshot);
Result<StatedTraffic> apply_traffic_file(std::string_view text, const std::string& source,
                                         const model::Snapshot& snapshot);

// The result borrows texts from `options`.
Result<plan::PlanOptions> planning_options(const PolicyOptions& options, const Prices& prices);

}  // namespace proxima::cli
