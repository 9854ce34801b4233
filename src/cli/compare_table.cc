// SPDX-License-Identifier: Apache-2.0
#include "cli/compare_table.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "cli/figures.h"
#include "cli/note_text.h"
#include "cli/service_choice.h"

namespace proxima::cli {
namespace {

using plan::Comparison;
using plan::Outcome;
using plan::VariantTotal;

// How far apart the policies are for one service.
struct Difference {
  double gigabytes = 0;
  double overload = 0;
};

Difference difference_of(const plan::ComparedService& service, std::size_t variants) {
  if (variants == 0) return {};
  const auto range = [&](double Outcome::*field) {
    double low = service.outcomes[0].*field, high = low;
    for (std::size_t v = 1; v < variants; ++v) {
      low = std::min(low, service.outcomes[v].*field);
      high = std::max(high, service.outcomes[v].*field);
    }
    return high - low;
  };
  return {range(&Outcome::cross_gigabytes), range(&Outcome::worst_overload)};
}

bool any_rejected(const Comparison& comparison, std::size_t variants) {
  return std::any_of(comparison.totals.begin(),
                     comparison.totals.begin() + static_cast<std::ptrdiff_t>(variants),
                     [](const VariantTotal& total) { return total.rejected > 1e-9; });
}

Tone tone_of_overload(double overload) { return overload > 0.5 ? Tone::Warning : Tone::Plain; }

std::string totals_table(const Comparison& comparison, const CompareFacts& facts,
                         const TableLayout& layout) {
  const bool rejected = any_rejected(comparison, facts.variants_shown);
  std::vector<Column> columns = {{.header = "POLICY", .shorten = Shorten::Middle},
                                 {.header = "LOCAL", .align = Align::Right},
                                 {.header = "CROSS-ZONE", .align = Align::Right},
                                 {.header = "WORST OVERLOAD", .align = Align::Right},
                                 {.header = "MEAN", .align = Align::Right, .spare_rank = 1}};
  if (rejected) columns.push_back({.header = "REJECTED", .align = Align::Right});
  columns.push_back({.header = "COST", .align = Align::Right});
  Table table(columns);
  std::vector<double> money;
  for (const VariantTotal& total : comparison.totals)
    money.push_back(total.cost * facts.money_per_unit);
  money.resize(facts.variants_shown);
  const auto costs = money_texts(money);
  for (std::size_t v = 0; v < facts.variants_shown; ++v) {
    const VariantTotal& total = comparison.totals[v];
    std::vector<Cell> row = {
        {comparison.variants[v].name, Tone::Strong},
        {percent_text(total.local)},
        {percent_text(total.cross)},
        {overload_text(total.worst_overload), tone_of_overload(total.worst_overload)},
        {overload_text(total.mean_worst_overload)}};
    if (rejected)
      row.push_back(
          {percent_text(total.rejected), total.rejected > 1e-9 ? Tone::Bad : Tone::Plain});
    row.push_back({costs[v]});
    table.add(std::move(row));
  }
  return table.render(layout);
}

std::vector<Cell> service_row(const Comparison& comparison, std::size_t service,
                              std::size_t variant, const std::string& cost) {
  const plan::ComparedService& compared = comparison.services[service];
  const Outcome& outcome = compared.outcomes[variant];
  std::string name;
  if (variant == 0) {
    name = full_name(*comparison.snapshot, compared.service);
    if (compared.family != IpFamily::V4) name += " " + std::string(to_text(compared.family));
  }
  const auto& why = policy::text_of(outcome.why.reason);
  return {{std::move(name), Tone::Strong},
          {comparison.variants[variant].name},
          {percent_text(outcome.local)},
          {percent_text(outcome.cross)},
          {overload_text(outcome.worst_overload), tone_of_overload(outcome.worst_overload)},
          {cost},
          {std::string(why.code), tone_of(why.severity)}};
}

std::string services_table(const Comparison& comparison, const CompareFacts& facts,
                           const std::vector<std::size_t>& services, const TableLayout& layout) {
  Table table({{.header = "SERVICE", .shorten = Shorten::Middle, .width_min = 14},
               {.header = "POLICY", .shorten = Shorten::Middle, .width_min = 14},
               {.header = "LOCAL", .align = Align::Right},
               {.header = "CROSS-ZONE", .align = Align::Right},
               {.header = "OVERLOAD", .align = Align::Right},
               {.header = "COST", .align = Align::Right},
               {.header = "REASON", .shorten = Shorten::End, .width_min = 12, .spare_rank = 1}});
  std::vector<double> money;
  for (const std::size_t s : services) {
    for (std::size_t v = 0; v < facts.variants_shown; ++v) {
      const Outcome& outcome = comparison.services[s].outcomes[v];
      money.push_back(outcome.cost * outcome.gigabytes * facts.money_per_unit);
    }
  }
  const auto costs = money_texts(money);
  std::size_t next = 0;
  for (const std::size_t s : services) {
    for (std::size_t v = 0; v < facts.variants_shown; ++v)
      table.add(service_row(comparison, s, v, costs[next++]));
  }
  return table.render(layout);
}

std::string assumptions(const Comparison& comparison, const CompareFacts& facts,
                        const TableLayout& layout) {
  const model::Snapshot& snapshot = *comparison.snapshot;
  std::set<model::ServiceIndex> services;  // a dual-stack service is compared twice
  for (const auto& service : comparison.services) services.insert(service.service);
  const std::string cluster = counted(snapshot.nodes.size(), "node") + " in " +
                              counted(snapshot.zones.size(), "zone") + ", " +
                              counted(services.size(), "service") + " with ready endpoints";
  return facts_text({{"Cluster", cluster},
                     {"Traffic", facts.traffic},
                     {"Demand", facts.demand},
                     {"Price", facts.price}},
                    {layout.width, layout.coloring});
}

}  // namespace

std::vector<std::size_t> services_by_difference(const Comparison& comparison,
                                                std::size_t variants_shown) {
  std::vector<Difference> differences;
  for (const auto& service : comparison.services)
    differences.push_back(difference_of(service, variants_shown));
  std::vector<std::size_t> order(comparison.services.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (differences[a].gigabytes != differences[b].gigabytes)
      return differences[a].gigabytes > differences[b].gigabytes;
    return differences[a].overload > differences[b].overload;
  });
  return order;
}

std::string compare_text(const Comparison& comparison, const CompareFacts& facts,
                         const CompareLayout& layout) {
  std::string out;
  if (layout.table.headers) out += assumptions(comparison, facts, layout.table) + "\n";
  out += totals_table(comparison, facts, layout.table);
  auto services = services_by_difference(comparison, facts.variants_shown);
  const std::size_t hidden = services.size() - std::min(services.size(), layout.services_shown);
  services.resize(services.size() - hidden);
  if (services.empty()) return out;
  if (hidden > 0 && layout.table.headers) {
    const std::string what =
        services.size() == 1 ? "The service that differs most"
                             : "The " + counted(services.size(), "service") + " that differ most";
    out += "\n" + paint(what, Tone::Strong, layout.table.coloring);
    out += " (of " + std::to_string(services.size() + hidden) + "; --all shows every one)\n";
  } else {
    out += "\n";
  }
  return out + services_table(comparison, facts, services, layout.table);
}

}  // namespace proxima::cli
