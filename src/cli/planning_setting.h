// SPDX-License-Identifier: Apache-2.0
// Everything that compare and migrate read and decide before they plan: the cluster, the services
// that are meant, prices, traffic.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/console.h"
#include "cli/options.h"
#include "cli/planning_options.h"

namespace proxima::cli {

// Parts of a command, which must outlive what is made from them.
struct PlanningRequest {
  const InputOptions& input;
  const ScopeOptions& scope;
  const std::vector<std::string>& services;
  const PolicyOptions& policy;
  const PriceOptions& prices;
  const std::string& traffic_file;
};

struct PlanningSetting {
  model::SnapshotPtr snapshot;
  std::vector<model::ServiceIndex> services;  // ascending
  Prices prices;
  StatedTraffic traffic;
  plan::PlanOptions options;  // borrows from the command

  // Whether a service of the snapshot is one of them.
  std::function<bool(const model::Service&)> wanted() const;
};

// Names of a traffic file that are no services are warnings.
Result<PlanningSetting> read_setting(const PlanningRequest& request, Console& console);

// Where traffic is taken to start, as a sentence.
std::string demand_sentence(const PolicyOptions& options);

}  // namespace proxima::cli
