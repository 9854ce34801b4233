// SPDX-License-Identifier: Apache-2.0
#include "cli/compare_command.h"

#include <algorithm>
#include <limits>

#include "cli/cluster_input.h"
#include "cli/compare_document.h"
#include "cli/compare_page.h"
#include "cli/compare_table.h"
#include "cli/compare_variants.h"
#include "cli/planning_options.h"
#include "cli/progress.h"
#include "cli/service_choice.h"
#include "cli/text_file.h"
#include "cli/version.h"

namespace proxima::cli {
namespace {

constexpr std::size_t kServicesShown = 3;
constexpr std::size_t kUnknownShown = 5;

// Everything that was read and decided before planning starts.
struct Setting {
  model::SnapshotPtr snapshot;
  std::vector<model::ServiceIndex> services;  // ascending
  Prices prices;
  StatedTraffic traffic;
  plan::PlanOptions options;  // borrows from the command
};

Result<Setting> prepare(const CompareCommand& command, Console& console) {
  auto snapshot = read_cluster(command.input, console);
  if (!snapshot) return std::move(snapshot).error();
  auto services = choose_services(**snapshot, command.scope, command.services);
  if (!services) return std::move(services).error();
  auto prices = read_prices(command.prices, **snapshot);
  if (!prices) return std::move(prices).error();
  auto traffic = read_traffic(command.traffic_file, **snapshot);
  if (!traffic) return std::move(traffic).error();
  auto options = planning_options(command.policy, *prices);
  if (!options) return std::move(options).error();
  options->now = planning_time(command.input);
  return Setting{*snapshot, *services, *prices, *traffic, *options};
}

void warn_about_unknown(const std::vector<std::string>& names, Console& console) {
  for (std::size_t i = 0; i < std::min(names.size(), kUnknownShown); ++i)
    console.warning("--traffic: there is no service " + names[i]);
  if (names.size() > kUnknownShown) {
    console.warning("--traffic: and " + std::to_string(names.size() - kUnknownShown) +
                    " more names that are no services");
  }
}

plan::Comparison compare(const Setting& setting, const std::vector<plan::Variant>& variants,
                         Console& console) {
  ProgressLine progress(console, "Comparing");
  const model::Service* first = setting.snapshot->services.data();
  const auto wanted = [&](const model::Service& service) {
    const model::ServiceIndex index(static_cast<std::size_t>(&service - first));
    return std::binary_search(setting.services.begin(), setting.services.end(), index);
  };
  return plan::compare_policies(
      setting.snapshot, setting.options, variants, setting.traffic.volume, wanted,
      [&](std::size_t done, std::size_t total) { progress.update(done, total); });
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

std::string rendered(const plan::Comparison& comparison, const CompareFacts& facts,
                     const CompareCommand& command, const Terminal& terminal) {
  switch (command.output.format) {
    case OutputFormat::Json:
      return compare_document(comparison, facts, report::DocumentFormat::Json);
    case OutputFormat::Yaml:
      return compare_document(comparison, facts, report::DocumentFormat::Yaml);
    default:
      break;
  }
  const bool wide = command.output.format == OutputFormat::Wide;
  const bool all = wide || command.all || !command.services.empty();
  return compare_text(
      comparison, facts,
      {.table = {.width = wide ? std::nullopt : terminal.width,
                 .coloring = terminal.coloring,
                 .headers = !command.output.no_headers},
       .services_shown = all ? std::numeric_limits<std::size_t>::max() : kServicesShown});
}

std::string names_of(const std::vector<std::string>& files) {
  std::string names;
  for (const std::string& file : files) {
    if (!names.empty()) names += ", ";
    names += file == "-" ? "standard input" : file;
  }
  return names;
}

std::size_t as_configured_variant(const std::vector<plan::Variant>& variants) {
  const auto found =
      std::ranges::find_if(variants, [](const plan::Variant& variant) { return !variant.policy; });
  PROXIMA_CHECK(found != variants.end());
  return static_cast<std::size_t>(found - variants.begin());
}

Status write_page(const plan::Comparison& comparison, const CompareFacts& facts,
                  const CompareCommand& command) {
  if (command.html_file.empty()) return Unit{};
  const ComparePageInfo info{.title = "Service traffic between zones",
                             .version = "proxima " + std::string(version()),
                             .source = names_of(command.input.files),
                             .price_per_gb = facts.money_per_unit,
                             .price = facts.price,
                             .traffic = facts.traffic,
                             .demand = facts.demand,
                             .as_configured = as_configured_variant(comparison.variants),
                             .recommended = recommended_variant(comparison.variants)};
  return write_text_file(command.html_file, render_compare_page(comparison, info));
}

Status compare_and_print(const CompareCommand& command, Console& console) {
  auto setting = prepare(command, console);
  if (!setting) return std::move(setting).error();
  warn_about_unknown(setting->traffic.unknown_names, console);
  const auto variants = choose_variants(command.policies, command.overloads);
  const plan::Comparison comparison =
      compare(*setting, command.html_file.empty() ? variants : with_frontier(variants), console);
  const CompareFacts facts{.variants_shown = variants.size(),
                           .money_per_unit = setting->prices.money_per_unit,
                           .price = setting->prices.stated,
                           .traffic = setting->traffic.stated,
                           .demand = demand_sentence(command.policy)};
  if (comparison.services.empty()) console.remark("No services with ready endpoints found.");
  if (auto written = write_page(comparison, facts, command); !written)
    return std::move(written).error().in("--html");
  console.print(rendered(comparison, facts, command, console.out_terminal(command.output.color)));
  return Unit{};
}

}  // namespace

ExitCode run_compare(const CompareCommand& command, Console& console) {
  const Status status = compare_and_print(command, console);
  if (status) return ExitCode::Answered;
  console.error(status.error().message);
  return ExitCode::Failed;
}

}  // namespace proxima::cli
