// SPDX-License-Identifier: Apache-2.0
#include "core/policy/require_zone.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/ascii.h"
#include "base/duration_text.h"
#include "core/model/limits.h"

namespace proxima::policy {
namespace {

Error wrong_failover(std::string_view text) {
  return {ErrorCode::InvalidInput, "\"" + std::string(text) +
                                       "\" is not a failover budget: use none, or for example "
                                       "min-endpoints=2,for=10m"};
}

std::optional<std::uint32_t> read_min_endpoints(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  const bool whole = error == std::errc() && end == text.end();
  if (!whole || !model::limit_of(model::Bounded::FailoverEndpoints).admits(value))
    return std::nullopt;
  return value;
}

std::optional<std::chrono::seconds> read_limit(std::string_view text) {
  const auto value = parse_duration(text);
  if (!value) return std::nullopt;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(*value);
  const bool is_whole = seconds == *value;
  const model::Limit& limit = model::limit_of(model::Bounded::FailoverSeconds);
  const auto count = static_cast<double>(seconds.count());
  if (!limit.admits(count) || (count == limit.most && !is_whole)) return std::nullopt;
  return seconds;
}

bool lacks_endpoints(const RequireZoneInput& input, std::size_t zone) {
  return input.ready[zone] < input.failover.value_or(FailoverBudget()).min_endpoints;
}

// Shares of 1 in proportion to the capacity of the places that `counts` names; false: together they
// have fewer ready endpoints than `least`, and the row stays as it is.
template <class Counts>
bool share_out(const RequireZoneInput& input, std::uint32_t least, Counts counts,
               std::span<double> row) {
  std::uint32_t ready = 0;
  double capacity = 0;
  for (std::size_t place = 0; place < row.size(); ++place) {
    if (!counts(place)) continue;
    ready += input.ready[place];
    capacity += input.capacity[place];
  }
  if (ready < least || capacity <= 0) return false;
  for (std::size_t place = 0; place < row.size(); ++place)
    if (counts(place)) row[place] = input.capacity[place] / capacity;
  return true;
}

}  // namespace

Result<std::optional<FailoverBudget>> parse_failover(std::string_view text) {
  const std::string_view whole = text;
  if (text == "none") return std::optional<FailoverBudget>();
  FailoverBudget budget;
  bool has_min = false;
  while (true) {
    const bool more = text.find(',') != std::string_view::npos;
    std::string_view value = take_until(text, ',', " ");
    const std::string_view name = take_until(value, '=', " ");
    value = trimmed(value, " ");
    const auto least =
        name == "min-endpoints" && !has_min ? read_min_endpoints(value) : std::nullopt;
    const auto limit = name == "for" && !budget.limit ? read_limit(value) : std::nullopt;
    if (!least && !limit) return wrong_failover(whole);
    if (least) budget.min_endpoints = *least;
    if (limit) budget.limit = limit;
    has_min = has_min || least;
    if (!more) return std::optional(budget);
  }
}

RequiredZone required_zone_state(const RequireZoneInput& input, std::size_t zone,
                                 std::optional<WallTime> since, std::optional<WallTime> now) {
  if (!lacks_endpoints(input, zone)) return RequiredZone::Kept;
  if (!input.failover) return RequiredZone::Rejected;
  const auto& limit = input.failover->limit;
  const bool over = limit && since && now && *now - *since >= *limit;
  return over ? RequiredZone::Spent : RequiredZone::FailsOver;
}

void require_zone_row(const RequireZoneInput& input, std::size_t zone, RequiredZone state,
                      std::span<double> row) {
  std::fill(row.begin(), row.end(), 0.0);
  if (state != RequiredZone::FailsOver) {
    if (input.ready[zone] > 0) row[zone] = 1;
    return;
  }
  const std::uint32_t least = input.failover->min_endpoints;
  const std::uint32_t region = input.regions[zone];
  const bool near = region != input.no_region && share_out(
                                                     input, least,
                                                     [&](std::size_t place) {
                                                       return place < input.regions.size() &&
                                                              input.regions[place] == region;
                                                     },
                                                     row);
  if (!near)
    share_out(
        input, 0, [](std::size_t) { return true; }, row);
}

}  // namespace proxima::policy
