// SPDX-License-Identifier: Apache-2.0
#include "cli/compare_command.h"

#include <algorithm>
#include <limits>

#include "cli/compare_document.h"
#include "cli/compare_page.h"
#include "cli/compare_table.h"
#include "cli/compare_variants.h"
#include "cli/failed_services.h"
#include "cli/planning_setting.h"
#include "cli/progress.h"
#include "cli/text_file.h"
#include "cli/version.h"

namespace proxima::cli {
namespace {

constexpr std::size_t kServicesShown = 3;

plan::Comparison compare(const PlanningSetting& setting, const std::vector<plan::Variant>& variants,
                         Console& console) {
  ProgressLine progress(console, "Comparing");
  return plan::compare_policies(
      setting.snapshot, setting.options, variants, setting.traffic.volume, setting.wanted(),
      [&](std::size_t done, std::size_t total) { progress.update(done, total); });
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
  auto setting = read_setting({.input = command.input,
                               .scope = command.scope,
                               .services = command.services,
                               .policy = command.policy,
                               .prices = command.prices,
                               .traffic_file = command.traffic_file},
                              console);
  if (!setting) return std::move(setting).error();
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
  return planning_status(*comparison.snapshot, failed_services(comparison));
}

}  // namespace

ExitCode run_compare(const CompareCommand& command, Console& console) {
  const Status status = compare_and_print(command, console);
  if (status) return ExitCode::Answered;
  console.error(status.error().message);
  return ExitCode::Failed;
}

}  // namespace proxima::cli
