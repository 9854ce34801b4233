// SPDX-License-Identifier: Apache-2.0
#include "cli/plan_command.h"

#include <algorithm>

#include "cli/cluster_input.h"
#include "cli/failed_services.h"
#include "cli/plan_document.h"
#include "cli/plan_table.h"
#include "cli/planning_options.h"
#include "cli/progress.h"
#include "cli/service_choice.h"
#include "core/plan/plan_failure.h"

namespace proxima::cli {
namespace {

// The plans of the chosen services, with the traffic that follows from each.
std::vector<PlannedService> planned_services(plan::ClusterPlan& plan,
                                             const std::vector<model::ServiceIndex>& chosen,
                                             Console& console) {
  ProgressLine progress(console, "Planning");
  std::vector<PlannedService> out;
  for (std::size_t i = 0; i < plan.services.size(); ++i) {
    plan::ServicePlan& service = plan.services[i];
    progress.update(i, plan.services.size());
    if (!std::binary_search(chosen.begin(), chosen.end(), service.service)) continue;
    plan::Traffic traffic = plan::predict_or_fail(plan, service);
    out.push_back({service, std::move(traffic)});
  }
  return out;
}

void print(const plan::ClusterPlan& plan, const std::vector<PlannedService>& services,
           const OutputOptions& options, Console& console) {
  const Terminal terminal = console.out_terminal(options.color);
  TableLayout layout{
      .width = terminal.width, .coloring = terminal.coloring, .headers = !options.no_headers};
  switch (options.format) {
    case OutputFormat::Json:
      return console.print(plan_document(plan, services, report::DocumentFormat::Json));
    case OutputFormat::Yaml:
      return console.print(plan_document(plan, services, report::DocumentFormat::Yaml));
    default:
      break;
  }
  if (services.empty()) return console.remark("No services found.");
  if (options.format != OutputFormat::Wide)
    return console.print(render_plan_table(plan, services, layout));
  layout.width.reset();
  console.print(plan_table(plan, services, Width::Wide, ReasonForm::Sentence).render(layout));
}

Status plan_and_print(const PlanCommand& command, Console& console) {
  auto snapshot = read_cluster(command.input, console);
  if (!snapshot) return std::move(snapshot).error();
  auto chosen = choose_services(**snapshot, command.scope, command.services);
  if (!chosen) return std::move(chosen).error();
  auto prices = read_prices(command.prices, **snapshot);
  if (!prices) return std::move(prices).error();
  auto options = planning_options(command.policy, *prices);
  if (!options) return std::move(options).error();
  options->now = planning_time(command.input);
  plan::ClusterPlan plan = plan::plan_cluster(*snapshot, *options);
  const auto services = planned_services(plan, *chosen, console);
  print(plan, services, command.output, console);
  std::vector<FailedService> failed;
  for (const PlannedService& one : services)
    if (plan::has_failed(one.plan)) failed.push_back({one.plan.service, one.plan.why});
  return planning_status(**snapshot, failed);
}

}  // namespace

ExitCode run_plan(const PlanCommand& command, Console& console) {
  const Status status = plan_and_print(command, console);
  if (status) return ExitCode::Answered;
  console.error(status.error().message);
  return ExitCode::Failed;
}

}  // namespace proxima::cli
