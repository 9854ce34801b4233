// SPDX-License-Identifier: Apache-2.0
#include "cli/explain_command.h"

#include "cli/cluster_input.h"
#include "cli/explain_text.h"
#include "cli/failed_services.h"
#include "cli/node_routes.h"
#include "cli/node_routes_text.h"
#include "cli/planning_options.h"
#include "cli/service_choice.h"
#include "core/plan/plan_failure.h"
#include "report/explain_document.h"

namespace proxima::cli {
namespace {

Result<plan::From> find_place(const ExplainCommand& command, const model::Snapshot& snapshot) {
  if (command.from_node.empty()) {
    auto zone = choose_zone(snapshot, command.from_zone);
    if (!zone) return std::move(zone).error();
    return plan::From{{}, *zone};
  }
  auto node = choose_node(snapshot, command.from_node);
  if (!node) return std::move(node).error();
  return plan::From{*node, snapshot.nodes[node->value()].zone};
}

// The asked-for family, or the first. A plan of a service has one entry a family.
Result<plan::ServicePlan> find_family(const plan::ClusterPlan& plan,
                                      const ExplainCommand& command) {
  for (const plan::ServicePlan& service : plan.services) {
    if (!command.family || service.family == *command.family) return service;
  }
  return Error{ErrorCode::NotFound, "service \"" + command.service + "\" has no " +
                                        std::string(to_text(*command.family)) + " endpoints"};
}

std::string rendered(const plan::ClusterPlan& plan, const plan::Explanation& explanation,
                     plan::From from, const OutputOptions& options, const Terminal& terminal) {
  switch (options.format) {
    case OutputFormat::Json:
      return report::explain_document(plan, explanation, from, report::DocumentFormat::Json);
    case OutputFormat::Yaml:
      return report::explain_document(plan, explanation, from, report::DocumentFormat::Yaml);
    default:
      break;
  }
  return explain_text(
      plan, explanation, from,
      {.width = terminal.width,
       .coloring = terminal.coloring,
       .endpoints = options.format == OutputFormat::Wide ? Width::Wide : Width::Usual});
}

Status explain_and_print(const ExplainCommand& command, Console& console) {
  auto snapshot = read_cluster(command.input, console);
  if (!snapshot) return std::move(snapshot).error();
  auto service = choose_service(**snapshot, command.scope, command.service);
  if (!service) return std::move(service).error();
  auto from = find_place(command, **snapshot);
  if (!from) return std::move(from).error();
  auto prices = read_prices(command.prices, **snapshot);
  if (!prices) return std::move(prices).error();
  auto options = planning_options(command.policy, *prices);
  if (!options) return std::move(options).error();
  options->now = planning_time(command.input);
  const plan::ClusterPlan plan = plan::plan_service(*snapshot, *options, *service);
  auto family = find_family(plan, command);
  if (!family) return std::move(family).error();
  if (plan::has_failed(*family)) return planning_status(**snapshot, {{*service, family->why}});
  std::string text;
  const auto breakdown = run_guarded([&] {
    text = rendered(plan, plan::explain(plan, *family, *from), *from, command.output,
                    console.out_terminal(command.output.color));
  });
  if (breakdown)
    return planning_status(
        **snapshot,
        {{*service, {.reason = policy::Reason::InternalError, .subject = breakdown->what}}});
  console.print(text);
  return Unit{};
}

Result<std::string> rendered_routes(std::string_view json, const ExplainCommand& command,
                                    const Terminal& terminal) {
  if (command.output.format == OutputFormat::Json)
    return node_routes_document(json, report::DocumentFormat::Json);
  if (command.output.format == OutputFormat::Yaml)
    return node_routes_document(json, report::DocumentFormat::Yaml);
  return node_routes_text(
      json, {.width = terminal.width, .coloring = terminal.coloring, .family = command.family});
}

Status ask_and_print(const ExplainCommand& command, Console& console) {
  auto service = parse_service_reference(command.service);
  if (!service) return std::move(service).error();
  auto origin = node_proxy_origin(command.node);
  if (!origin) return std::move(origin).error();
  const std::string scope = command.scope.ns.value_or("default");
  auto json = fetch_node_routes(
      {.origin = *origin, .ns = service->ns.value_or(scope), .service = service->name});
  if (!json) return std::move(json).error();
  auto text = rendered_routes(*json, command, console.out_terminal(command.output.color));
  if (!text) return std::move(text).error();
  console.print(*text);
  return Unit{};
}

}  // namespace

ExitCode run_explain(const ExplainCommand& command, Console& console) {
  const Status status =
      command.node.empty() ? explain_and_print(command, console) : ask_and_print(command, console);
  if (status) return ExitCode::Answered;
  console.error(status.error().message);
  return ExitCode::Failed;
}

}  // namespace proxima::cli
