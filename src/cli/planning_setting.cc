// SPDX-License-Identifier: Apache-2.0
#include "cli/planning_setting.h"

#include <algorithm>

#include "cli/cluster_input.h"
#include "cli/service_choice.h"

namespace proxima::cli {
namespace {

constexpr std::size_t kUnknownShown = 5;

void warn_about_unknown(const std::vector<std::string>& names, Console& console) {
  for (std::size_t i = 0; i < std::min(names.size(), kUnknownShown); ++i)
    console.warning("--traffic: there is no service " + names[i]);
  if (names.size() > kUnknownShown) {
    console.warning("--traffic: and " + std::to_string(names.size() - kUnknownShown) +
                    " more names that are no services");
  }
}

}  // namespace

std::function<bool(const model::Service&)> PlanningSetting::wanted() const {
  return [this](const model::Service& service) {
    const model::ServiceIndex index(static_cast<std::size_t>(&service - snapshot->services.data()));
    return std::binary_search(services.begin(), services.end(), index);
  };
}

Result<PlanningSetting> read_setting(const PlanningRequest& request, Console& console) {
  auto snapshot = read_cluster(request.input, console);
  if (!snapshot) return std::move(snapshot).error();
  auto services = choose_services(**snapshot, request.scope, request.services);
  if (!services) return std::move(services).error();
  auto prices = read_prices(request.prices, **snapshot);
  if (!prices) return std::move(prices).error();
  auto traffic = read_traffic(request.traffic_file, **snapshot);
  if (!traffic) return std::move(traffic).error();
  auto options = planning_options(request.policy, *prices);
  if (!options) return std::move(options).error();
  options->now = planning_time(request.input);
  warn_about_unknown(traffic->unknown_names, console);
  return PlanningSetting{*snapshot, *services, *prices, *traffic, *options};
}

std::string demand_sentence(const PolicyOptions& options) {
  if (options.demand == "cpu")
    return "in proportion to the allocatable CPU of the nodes (--demand)";
  if (options.demand == "nodes") return "the same from every node";
  if (options.demand == "measured" && options.measured.empty())
    return "as the nodes' annotation proxima.io/traffic says";
  if (options.demand == "measured") return "as measured: " + options.measured;
  return "from the ready Pods of " + options.demand.substr(options.demand.find('=') + 1);
}

}  // namespace proxima::cli
