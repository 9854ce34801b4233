// SPDX-License-Identifier: Apache-2.0
#include "core/plan/zone_split.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

namespace proxima::plan {
namespace {

constexpr std::int64_t kWhole = 1000;

std::string_view place_name(const ClusterPlan& plan, std::size_t place) {
  return place + 1 < plan.places ? plan.snapshot->zone_name(model::ZoneIndex(place))
                                 : kNoZoneInSplit;
}

bool by_zone(const ZoneShare& a, const ZoneShare& b) { return a.zone < b.zone; }

std::optional<ZoneRow> row_of(const ClusterPlan& plan, const ServicePlan& service,
                              std::size_t from) {
  const double demand = plan.demands[service.demand].by_place[from];
  if (demand <= 0) return std::nullopt;
  const auto row = plan.split_of(service).subspan(from * plan.places, plan.places);
  const auto shares = whole_permille(row, demand);
  if (std::accumulate(shares.begin(), shares.end(), std::int64_t{0}) != kWhole) return std::nullopt;
  ZoneRow out{std::string(place_name(plan, from)), {}};
  for (std::size_t to = 0; to < plan.places; ++to) {
    if (shares[to] > 0) out.to.push_back({std::string(place_name(plan, to)), shares[to]});
  }
  std::sort(out.to.begin(), out.to.end(), by_zone);
  return out;
}

// What label values and endpoints' zones are made of.
bool is_zone(std::string_view text) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_word);
}

// Takes the part before `separator`, or all of it.
std::string_view take_until(std::string_view& text, char separator) {
  const auto end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

Error wrong(std::string_view part, std::string_view what) {
  return {ErrorCode::InvalidInput,
          "zone split: \"" + std::string(part) + "\" " + std::string(what)};
}

Result<ZoneShare> parse_share(std::string_view text) {
  std::string_view rest = text;
  const std::string_view zone = take_until(rest, ':');
  ZoneShare share{std::string(zone), 0};
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), share.permille);
  const bool is_number = error == std::errc() && end == rest.data() + rest.size();
  if (!is_zone(zone) || !is_number) return wrong(text, "is not ZONE:PERMILLE");
  if (share.permille <= 0 || share.permille > kWhole)
    return wrong(text, "is not between 1 and 1000");
  return share;
}

Result<ZoneRow> parse_row(std::string_view text) {
  std::string_view rest = text;
  const std::string_view zone = take_until(rest, '=');
  if (!is_zone(zone)) return wrong(text, "is not ZONE=SHARES");
  if (rest.ends_with(',')) return wrong(text, "ends in a comma");
  ZoneRow row{std::string(zone), {}};
  std::int64_t sum = 0;
  while (!rest.empty()) {
    PROXIMA_TRY(ZoneShare share, parse_share(take_until(rest, ',')), "row " + row.zone);
    if (!row.to.empty() && !by_zone(row.to.back(), share)) return wrong(text, "is not in order");
    sum += share.permille;
    row.to.push_back(std::move(share));
  }
  if (sum != kWhole) return wrong(text, "does not sum to 1000");
  return row;
}

bool has_moved(const ZoneRow& published, const ZoneRow& wanted) {
  const auto share = [](const ZoneRow& row, const std::string& zone) {
    const auto at = std::find_if(row.to.begin(), row.to.end(),
                                 [&](const ZoneShare& one) { return one.zone == zone; });
    return at == row.to.end() ? 0 : at->permille;
  };
  const auto moved = [&](const ZoneRow& row) {
    return std::any_of(row.to.begin(), row.to.end(), [&](const ZoneShare& one) {
      return std::abs(share(published, one.zone) - share(wanted, one.zone)) > kSplitStepPermille;
    });
  };
  return moved(published) || moved(wanted);
}

}  // namespace

ZoneSplit zone_split(const ClusterPlan& plan, const ServicePlan& service) {
  ZoneSplit split;
  if (plan.split_of(service).empty()) return split;
  for (std::size_t from = 0; from < plan.places; ++from) {
    if (auto row = row_of(plan, service, from)) split.push_back(std::move(*row));
  }
  std::sort(split.begin(), split.end(),
            [](const ZoneRow& a, const ZoneRow& b) { return a.zone < b.zone; });
  return split;
}

std::string render(const ZoneSplit& split) {
  std::string out;
  for (const ZoneRow& row : split) {
    if (!out.empty()) out += ';';
    out += row.zone;
    char separator = '=';
    for (const ZoneShare& share : row.to) {
      out += separator;
      out += share.zone;
      out += ':';
      out += std::to_string(share.permille);
      separator = ',';
    }
  }
  return out;
}

Result<ZoneSplit> parse_zone_split(std::string_view text) {
  ZoneSplit split;
  if (text.ends_with(';')) return wrong(text, "ends in a semicolon");
  while (!text.empty()) {
    auto row = parse_row(take_until(text, ';'));
    if (!row) return std::move(row).error();
    if (!split.empty() && row->zone <= split.back().zone)
      return wrong(row->zone, "is out of order");
    split.push_back(std::move(*row));
  }
  return split;
}

bool has_moved(const ZoneSplit& published, const ZoneSplit& wanted) {
  return !std::equal(
      published.begin(), published.end(), wanted.begin(), wanted.end(),
      [](const ZoneRow& a, const ZoneRow& b) { return a.zone == b.zone && !has_moved(a, b); });
}

std::vector<std::int64_t> whole_permille(std::span<const double> parts, double total) {
  std::vector<std::int64_t> out(parts.size());
  std::vector<double> lost(parts.size());
  double exact_total = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double exact = 1000 * parts[i] / total;
    out[i] = static_cast<std::int64_t>(std::floor(exact + 1e-9));
    lost[i] = exact - static_cast<double>(out[i]);
    exact_total += exact;
  }
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lost[a] > lost[b]; });
  std::int64_t missing =
      std::llround(exact_total) - std::accumulate(out.begin(), out.end(), std::int64_t{0});
  for (std::size_t i = 0; i < order.size() && missing > 0; ++i, --missing) ++out[order[i]];
  return out;
}

}  // namespace proxima::plan
