// SPDX-License-Identifier: Apache-2.0
#include "core/policy/balanced_hints.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace proxima::policy {
namespace {

std::size_t zone_count(const BalancedHintsInput& input) { return input.demand.size() - 1; }

bool are_alike(std::span<const float> weight) {
  return std::all_of(weight.begin(), weight.end(), [&](float w) { return w == weight.front(); });
}

// Nodes without a zone load every endpoint alike: that much of the bound is used up before.
double limit_of(const BalancedHintsInput& input) {
  return 1 + input.overload - input.demand.back();
}

// Whether every other zone is equally far, and further than home: who lends is then free to choose.
bool is_uniform(std::span<const double> price, std::size_t places) {
  for (std::size_t from = 0; from < places; ++from) {
    for (std::size_t to = 0; to < places; ++to) {
      if (from == to ? price[from * places + to] != 0 : price[from * places + to] != price[1]) {
        return false;
      }
    }
  }
  return true;
}

// Prices between zones, without "no zone"; empty when they are uniform.
std::span<const double> zone_prices(const BalancedHintsInput& input,
                                    BalancedHintsWorkspace& workspace) {
  const std::size_t places = input.demand.size();
  if (input.price.empty() || is_uniform(input.price, places)) return {};
  workspace.price.clear();
  for (std::size_t from = 0; from + 1 < places; ++from) {
    const auto row = input.price.subspan(from * places, places - 1);
    workspace.price.insert(workspace.price.end(), row.begin(), row.end());
  }
  return workspace.price;
}

void count_endpoints(const BalancedHintsInput& input, BalancedHintsWorkspace& workspace) {
  workspace.count.assign(input.demand.size(), 0);
  for (const std::uint16_t place : input.place) ++workspace.count[place];
}

// A place's endpoints are for its own zone first, then for the others in the order of zones.
void write_hints(const BalancedHintsInput& input, BalancedHintsWorkspace& workspace,
                 std::span<std::uint16_t> hint_of) {
  const std::size_t zones = zone_count(input);
  workspace.quota.assign(input.demand.size() * zones, 0);
  for (std::size_t user = 0; user < zones; ++user) {
    for (std::size_t owner = 0; owner < zones; ++owner) {
      workspace.quota[owner * zones + user] = workspace.allotment.lent(owner, user);
    }
    workspace.quota[zones * zones + user] = workspace.allotment.given(user);
  }
  workspace.cursor.assign(input.demand.size(), 0);
  for (std::size_t i = 0; i < input.place.size(); ++i) {
    const std::size_t place = input.place[i];
    std::int64_t* quota = workspace.quota.data() + place * zones;
    std::size_t zone = place;
    if (place == zones || quota[place] == 0) {
      while (quota[workspace.cursor[place]] == 0) ++workspace.cursor[place];
      zone = workspace.cursor[place];
    }
    --quota[zone];
    hint_of[i] = static_cast<std::uint16_t>(zone);
  }
}

// The zone with the most demand of those that nothing serves, and the zone served with the lowest
// load; zone_count where there is none.
struct Unserved {
  std::size_t zone;
  std::size_t host;
};
Unserved next_unserved(std::span<const double> demand, std::span<const double> served) {
  const std::size_t zones = served.size();
  Unserved next{zones, zones};
  const auto load = [&](std::size_t zone) { return demand[zone] / served[zone]; };
  for (std::size_t zone = 0; zone < zones; ++zone) {
    if (served[zone] > 0 && (next.host == zones || load(zone) < load(next.host))) next.host = zone;
    const bool waits = served[zone] <= 0 && demand[zone] > 0;
    if (waits && (next.zone == zones || demand[zone] > demand[next.zone])) next.zone = zone;
  }
  return next;
}

// How much the busiest endpoint has over its fair share when `served` of `total` is for each zone.
// A zone that nothing is for, which happens only where there are to be no hints, counts as a guest
// of the least loaded one.
double worst_overload(const BalancedHintsInput& input, double total,
                      BalancedHintsWorkspace& workspace) {
  const std::size_t zones = zone_count(input);
  workspace.demand.assign(input.demand.begin(), input.demand.begin() + zones);
  while (true) {
    const Unserved next = next_unserved(workspace.demand, workspace.served);
    if (next.zone == zones || next.host == zones) break;
    workspace.demand[next.host] += workspace.demand[next.zone];
    workspace.demand[next.zone] = 0;
  }
  double worst = 0;
  for (std::size_t zone = 0; zone < zones; ++zone) {
    if (workspace.served[zone] <= 0) continue;
    worst = std::max(worst, workspace.demand[zone] * total / workspace.served[zone]);
  }
  return std::max(0.0, worst + input.demand.back() - 1);
}

bool allot_alike(const BalancedHintsInput& input, BalancedHintsWorkspace& workspace,
                 std::span<std::uint16_t> hint_of) {
  const std::size_t zones = zone_count(input);
  const AllotmentInput question{.demand = input.demand.first(zones),
                                .endpoints = std::span(workspace.count).first(zones),
                                .unplaced = workspace.count.back(),
                                .limit = limit_of(input),
                                .price = zone_prices(input, workspace)};
  workspace.served.assign(zones, 0);
  if (!workspace.allotment.solve(question)) {
    const auto even = workspace.allotment.most_even(question);
    workspace.served.assign(even.begin(), even.end());
    return false;
  }
  write_hints(input, workspace, hint_of);
  for (std::size_t i = 0; i < input.place.size(); ++i) workspace.served[hint_of[i]] += 1;
  return true;
}

bool allot_weighted(const BalancedHintsInput& input, BalancedHintsWorkspace& workspace,
                    std::span<std::uint16_t> hint_of) {
  const bool found = workspace.weighted.solve({.demand = input.demand.first(zone_count(input)),
                                               .place = input.place,
                                               .weight = input.weight,
                                               .limit = limit_of(input),
                                               .price = zone_prices(input, workspace)},
                                              hint_of);
  workspace.served.assign(workspace.weighted.have().begin(), workspace.weighted.have().end());
  return found;
}

// Where nothing was crossed that a user would notice, nothing is written.
constexpr double kNoticeableCost = 0.01;

double highest_price(std::span<const double> price) {
  return price.empty() ? 1 : *std::max_element(price.begin(), price.end());
}

void serve(const BalancedHintsInput& input, std::span<const std::uint16_t> hint_of,
           BalancedHintsWorkspace& workspace) {
  workspace.served.assign(zone_count(input), 0);
  for (std::size_t i = 0; i < hint_of.size(); ++i) {
    workspace.served[hint_of[i]] += input.weight.empty() ? 1 : static_cast<double>(input.weight[i]);
  }
}

// Whether what is published can stay as it is. Leaves `served` as it is with the better of both.
bool is_good_enough(const BalancedHintsInput& input, double total,
                    std::span<const std::uint16_t> best, BalancedHintsWorkspace& workspace) {
  const auto is_zone = [&](std::uint16_t zone) { return zone < zone_count(input); };
  if (!std::all_of(input.published.begin(), input.published.end(), is_zone)) return false;
  const PublishedHints endpoints{input.place, input.weight, input.published};
  const auto demand = input.demand.first(zone_count(input));
  const double cost = cost_of_hints(input.published, endpoints, demand, input.price);
  const double least = cost_of_hints(best, endpoints, demand, input.price);
  if (!(cost <= least + kNoticeableCost * highest_price(input.price))) return false;
  serve(input, input.published, workspace);
  constexpr double kRounding = 1e-9;
  if (worst_overload(input, total, workspace) <= input.overload + kRounding) return true;
  serve(input, best, workspace);
  return false;
}

void stay_near_published(const BalancedHintsInput& input, double total,
                         BalancedHintsWorkspace& workspace, std::span<std::uint16_t> hint_of) {
  if (input.published.empty()) return;
  if (is_good_enough(input, total, hint_of, workspace)) {
    std::copy(input.published.begin(), input.published.end(), hint_of.begin());
    return;
  }
  keep_published({input.place, input.weight, input.published}, workspace.nearest, hint_of);
}

std::int64_t count_lent(const BalancedHintsInput& input, std::span<const std::uint16_t> hint_of) {
  std::int64_t lent = 0;
  for (std::size_t i = 0; i < input.place.size(); ++i) lent += hint_of[i] != input.place[i];
  return lent;
}

}  // namespace

BalancedHints balanced_hints(const BalancedHintsInput& input, BalancedHintsWorkspace& workspace,
                             std::span<std::uint16_t> hint_of) {
  PROXIMA_CHECK(!input.demand.empty() && hint_of.size() == input.place.size());
  PROXIMA_CHECK(input.weight.empty() || input.weight.size() == input.place.size());
  BalancedHints result;
  const bool possible = zone_count(input) > 0 && !input.place.empty();
  if (possible) {
    const bool alike = are_alike(input.weight);
    count_endpoints(input, workspace);
    result.hinted =
        alike ? allot_alike(input, workspace, hint_of) : allot_weighted(input, workspace, hint_of);
    const double total = alike ? static_cast<double>(input.place.size())
                               : std::accumulate(input.weight.begin(), input.weight.end(), 0.0);
    if (result.hinted) stay_near_published(input, total, workspace, hint_of);
    result.worst_overload = worst_overload(input, total, workspace);
  }
  if (result.hinted) result.lent = count_lent(input, hint_of);
  result.why = {
      .reason = result.hinted ? Reason::HintsApproximateSplit : Reason::HintsCannotApproximateSplit,
      .count = result.lent,
      .share = result.worst_overload,
      .limit = input.overload};
  return result;
}

}  // namespace proxima::policy
