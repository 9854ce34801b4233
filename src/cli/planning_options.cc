// SPDX-License-Identifier: Apache-2.0
#include "cli/planning_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/figures.h"
#include "cli/text_file.h"
#include "core/model/limits.h"
#include "manifest/number_table.h"

namespace proxima::cli {
namespace {

using manifest::NumberRow;
using model::Bounded;
using model::limit_of;
using model::Snapshot;

constexpr double kRegionFactor = 2;  // between regions, unless said otherwise

Error at_row(const std::string& source, const NumberRow& row, const std::string& message) {
  return {ErrorCode::InvalidInput, source + ": line " + std::to_string(row.line) + ": " + message};
}

// $0.01 and $0.0125 as they are, without the zeros that a fixed number of decimals would add.
std::string price_text(double price) { return fmt::format("${:.6g}", price); }

// What the planner sees when zones are free and regions are not: leaving the zone still counts, but
// for next to nothing.
constexpr double kRegionToFreeZone = 10'000;

Prices distance_prices(const PriceOptions& options, const Snapshot& snapshot) {
  const double zones = options.price_per_gb;
  const double regions = options.region_price_per_gb.value_or(kRegionFactor * zones);
  Prices prices;
  prices.money_per_unit = zones;
  // A price between zones that is next to nothing would make the ratio infinite.
  prices.rules.other_region =
      zones > 0 ? std::min(regions / zones, limit_of(Bounded::PriceRatio).most) : kRegionFactor;
  if (zones == 0 && regions > 0) {
    prices.rules.other_region = kRegionToFreeZone;
    prices.money_per_unit = regions / kRegionToFreeZone;
  }
  prices.stated = price_text(zones) + " per GB between zones, both directions together";
  if (snapshot.regions.size() > 1) prices.stated += "; " + price_text(regions) + " between regions";
  return prices;
}

// What a name in a price file stands for: a zone, or every zone of a region.
std::vector<std::string_view> zones_named(const Snapshot& snapshot, std::string_view name) {
  if (const auto zone = snapshot.find_zone(name)) return {snapshot.zone_name(zone)};
  std::vector<std::string_view> zones;
  for (const model::ZoneInfo& zone : snapshot.zones) {
    if (zone.region && snapshot.names[snapshot.regions[zone.region.value()]] == name)
      zones.push_back(snapshot.names[zone.name]);
  }
  return zones;
}

bool is_pair_given(const std::vector<NumberRow>& rows, const std::string& from,
                   const std::string& to) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const NumberRow& row) { return row.path == from + "/" + to; });
}

void add_pairs(std::vector<plan::ZonePrice>& pairs, const std::vector<std::string_view>& from,
               const std::vector<std::string_view>& to, double price) {
  for (const std::string_view a : from) {
    for (const std::string_view b : to) {
      if (a != b) pairs.push_back({std::string(a), std::string(b), price});
    }
  }
}

Status add_pair(const std::vector<NumberRow>& rows, const NumberRow& row, const std::string& source,
                const Snapshot& snapshot, plan::PriceRules& rules) {
  const auto slash = row.path.find('/');
  const bool is_pair =
      slash != std::string::npos && row.path.find('/', slash + 1) == std::string::npos;
  if (!is_pair) {
    return at_row(source, row,
                  "\"" + row.path +
                      "\" is neither FROM/TO nor same-zone, "
                      "same-region or other-region");
  }
  const std::string from = row.path.substr(0, slash), to = row.path.substr(slash + 1);
  for (const std::string& name : {from, to}) {
    if (zones_named(snapshot, name).empty())
      return at_row(source, row, "\"" + name + "\" is neither a zone nor a region of this cluster");
  }
  add_pairs(rules.pairs, zones_named(snapshot, from), zones_named(snapshot, to), row.number);
  if (!is_pair_given(rows, to, from))
    add_pairs(rules.pairs, zones_named(snapshot, to), zones_named(snapshot, from), row.number);
  return Unit{};
}

// A pair of zones is meant more exactly than a pair of regions, so it is applied after it.
bool is_more_exact(const Snapshot& snapshot, const NumberRow& a, const NumberRow& b) {
  const auto zones = [&](const NumberRow& row) {
    const auto slash = row.path.find('/');
    if (slash == std::string::npos) return 0;
    return static_cast<int>(snapshot.find_zone(row.path.substr(0, slash)).has_value()) +
           static_cast<int>(snapshot.find_zone(row.path.substr(slash + 1)).has_value());
  };
  return zones(a) < zones(b);
}

}  // namespace

Result<Prices> apply_price_file(std::string_view text, const std::string& source,
                                const PriceOptions& options, const Snapshot& snapshot) {
  PROXIMA_TRY(auto rows, manifest::parse_number_table(text, limit_of(Bounded::Price)), source);
  Prices prices;
  prices.money_per_unit = 1;
  prices.rules.same_region = options.price_per_gb;
  prices.rules.other_region =
      options.region_price_per_gb.value_or(kRegionFactor * options.price_per_gb);
  std::stable_sort(rows.begin(), rows.end(), [&](const NumberRow& a, const NumberRow& b) {
    return is_more_exact(snapshot, a, b);
  });
  for (const NumberRow& row : rows) {
    if (row.path == "same-zone") prices.rules.same_zone = row.number;
    if (row.path == "same-region") prices.rules.same_region = row.number;
    if (row.path == "other-region") prices.rules.other_region = row.number;
    if (row.path == "same-zone" || row.path == "same-region" || row.path == "other-region")
      continue;
    auto status = add_pair(rows, row, source, snapshot, prices.rules);
    if (!status) return std::move(status).error();
  }
  prices.stated = "as in " + source + "; other pairs of zones " +
                  price_text(prices.rules.same_region) + " per GB";
  return prices;
}

Result<Prices> read_prices(const PriceOptions& options, const Snapshot& snapshot) {
  if (options.price_file.empty()) return distance_prices(options, snapshot);
  PROXIMA_TRY(const std::string text, read_text_file(options.price_file), "--price-file");
  return apply_price_file(text, options.price_file, options, snapshot);
}

Result<StatedTraffic> apply_traffic_file(std::string_view text, const std::string& source,
                                         const Snapshot& snapshot) {
  PROXIMA_TRY(const auto rows, manifest::parse_number_table(text, limit_of(Bounded::Gigabytes)),
              source);
  StatedTraffic out;
  out.volume.default_gigabytes = 0;
  std::size_t known = 0;
  for (const NumberRow& row : rows) {
    if (row.path == "default") {
      out.volume.default_gigabytes = row.number;
      continue;
    }
    const auto slash = row.path.find('/');
    if (slash == std::string::npos || row.path.find('/', slash + 1) != std::string::npos)
      return at_row(source, row, "\"" + row.path + "\" is neither NAMESPACE/NAME nor default");
    const std::string ns = row.path.substr(0, slash), name = row.path.substr(slash + 1);
    out.volume.gigabytes[{ns, name}] = row.number;
    if (snapshot.find_service(ns, name)) ++known;
    if (!snapshot.find_service(ns, name)) out.unknown_names.push_back(row.path);
  }
  out.stated = "as in " + source;
  const std::size_t rest = snapshot.services.size() - known;
  if (rest > 0) {
    out.stated += "; " + gigabytes_text(out.volume.default_gigabytes) + " for each of " +
                  counted(rest, "service") + " not listed";
  }
  return out;
}

Result<StatedTraffic> read_traffic(const std::string& file, const Snapshot& snapshot) {
  if (file.empty()) {
    StatedTraffic even;
    even.stated = "assumed: 1 GB for every service (see --traffic)";
    return even;
  }
  PROXIMA_TRY(const std::string text, read_text_file(file), "--traffic");
  return apply_traffic_file(text, file, snapshot);
}

namespace {

Result<std::map<std::string, double>> read_measured(const std::string& given) {
  std::map<std::string, double> out;
  if (given.empty()) return out;
  constexpr const model::Limit& kLimit = limit_of(Bounded::MeasuredTraffic);
  const bool is_list = given.find('=') != std::string::npos;
  if (is_list) {
    PROXIMA_TRY(const auto rows, manifest::parse_number_list(given, kLimit), "--measured");
    for (const NumberRow& row : rows) out[row.path] = row.number;
    return out;
  }
  PROXIMA_TRY(const std::string text, read_text_file(given), "--measured");
  PROXIMA_TRY(const auto rows, manifest::parse_number_table(text, kLimit), "--measured " + given);
  for (const NumberRow& row : rows) out[row.path] = row.number;
  return out;
}

}  // namespace

Result<plan::PlanOptions> planning_options(const PolicyOptions& options, const Prices& prices) {
  plan::PlanOptions out;
  out.defaults.policy = options.default_policy;
  out.defaults.overload = options.overload;
  out.defaults.min_local_endpoints = options.min_local_endpoints;
  out.defaults.node_first = options.node_first;
  out.defaults.gates = options.gates;
  out.defaults.auto_options = options.auto_options;
  out.defaults.auto_options.enabled = options.gates.topology_aware_hints;
  out.defaults.zone_aware = options.zone_aware;
  out.defaults.topology_keys.assign(options.topology_keys.begin(), options.topology_keys.end());
  PROXIMA_TRY(out.defaults.demand, policy::parse_demand(options.demand), "--demand");
  auto measured = read_measured(options.measured);
  if (!measured) return std::move(measured).error();
  out.measured = std::move(*measured);
  out.prices = prices.rules;
  return out;
}

}  // namespace proxima::cli
