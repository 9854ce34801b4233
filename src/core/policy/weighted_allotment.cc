// SPDX-License-Identifier: Apache-2.0
#include "core/policy/weighted_allotment.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace proxima::policy {
namespace {

constexpr double kWeightRounding = 1e-9;

}  // namespace

bool WeightedAllotment::solve(const WeightedInput& input, std::span<std::uint16_t> serves) {
  sort_endpoints(input);
  set_needs(input);
  start_at_home(input, serves);
  for (const std::uint32_t endpoint : heaviest_first_) lend(input, endpoint, Fit::Within, serves);
  for (std::size_t i = heaviest_first_.size(); i > 0; --i) {
    lend(input, heaviest_first_[i - 1], Fit::Covers, serves);
  }
  return !is_short();
}

void WeightedAllotment::sort_endpoints(const WeightedInput& input) {
  heaviest_first_.resize(input.weight.size());
  std::iota(heaviest_first_.begin(), heaviest_first_.end(), 0);
  std::sort(heaviest_first_.begin(), heaviest_first_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return input.weight[a] != input.weight[b] ? input.weight[a] > input.weight[b] : a < b;
  });
}

// A zone with demand needs the weight that keeps its endpoints within the limit, and at least one
// endpoint, which the lightest one stands for.
void WeightedAllotment::set_needs(const WeightedInput& input) {
  const double total = std::accumulate(input.weight.begin(), input.weight.end(), 0.0);
  const double lightest = heaviest_first_.empty() ? 1 : input.weight[heaviest_first_.back()];
  rounding_ = kWeightRounding * total;
  need_.assign(input.demand.size(), 0);
  for (std::size_t zone = 0; zone < need_.size(); ++zone) {
    if (input.demand[zone] <= 0) continue;
    need_[zone] = std::max(lightest, input.demand[zone] * total / input.limit);
  }
}

// Unplaced endpoints are known to be near nobody, so they go where they relieve most.
void WeightedAllotment::start_at_home(const WeightedInput& input, std::span<std::uint16_t> serves) {
  have_.assign(input.demand.size(), 0);
  for (const std::uint32_t endpoint : heaviest_first_) {
    serves[endpoint] = input.place[endpoint];
    if (serves[endpoint] < have_.size()) have_[serves[endpoint]] += input.weight[endpoint];
  }
  for (const std::uint32_t endpoint : heaviest_first_) {
    if (serves[endpoint] < have_.size()) continue;
    serves[endpoint] = static_cast<std::uint16_t>(most_loaded(input));
    have_[serves[endpoint]] += input.weight[endpoint];
  }
}

std::size_t WeightedAllotment::most_loaded(const WeightedInput& input) const {
  const auto load = [&](std::size_t zone) {
    if (input.demand[zone] <= 0) return 0.0;
    return have_[zone] > 0 ? input.demand[zone] / have_[zone]
                           : std::numeric_limits<double>::infinity();
  };
  std::size_t most = 0;
  for (std::size_t zone = 1; zone < have_.size(); ++zone) {
    const bool tie = load(zone) == load(most) && input.demand[zone] > input.demand[most];
    if (load(zone) > load(most) || tie) most = zone;
  }
  return most;
}

// Gives a placed endpoint that its zone can spare to the nearest zone that is short, and among
// equally near ones to the one that is most short.
void WeightedAllotment::lend(const WeightedInput& input, std::uint32_t endpoint, Fit fit,
                             std::span<std::uint16_t> serves) {
  const std::size_t owner = input.place[endpoint];
  const double weight = input.weight[endpoint];
  if (owner != serves[endpoint] || !can_spare(owner, weight)) return;
  std::optional<std::size_t> best;
  const auto price = [&](std::size_t user) {
    return input.price.empty() ? 1 : input.price[user * have_.size() + owner];
  };
  const auto missing = [&](std::size_t user) { return need_[user] - have_[user]; };
  for (std::size_t user = 0; user < have_.size(); ++user) {
    if (missing(user) <= rounding_) continue;
    if ((weight <= missing(user) + rounding_) != (fit == Fit::Within)) continue;
    const bool nearer = !best || price(user) < price(*best);
    const bool as_near = best && price(user) == price(*best);
    if (nearer || (as_near && missing(user) > missing(*best))) best = user;
  }
  if (!best) return;
  have_[owner] -= weight;
  have_[*best] += weight;
  serves[endpoint] = static_cast<std::uint16_t>(*best);
}

bool WeightedAllotment::can_spare(std::size_t zone, double weight) const {
  return have_[zone] - weight >= need_[zone] - rounding_;
}

bool WeightedAllotment::is_short() const {
  for (std::size_t zone = 0; zone < have_.size(); ++zone) {
    if (have_[zone] < need_[zone] - rounding_) return true;
  }
  return false;
}

}  // namespace proxima::policy
