// SPDX-License-Identifier: Apache-2.0
#include "core/policy/balanced.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/check.h"
#include "core/policy/water_level.h"

namespace proxima::policy {
namespace {

double taken_at(const BalancedInput& input, std::size_t place) {
  return input.taken.empty() ? 0 : input.taken[place];
}

bool may_stay_at(const BalancedInput& input, std::size_t place) {
  return input.may_stay.empty() || input.may_stay[place] != 0;
}

double price_between(const BalancedInput& input, std::size_t from, std::size_t to) {
  if (input.price.empty()) return from == to ? 0 : 1;
  return input.price[from * input.demand.size() + to];
}

void check_input(const BalancedInput& input, std::span<const double> split) {
  const std::size_t places = input.demand.size();
  PROXIMA_CHECK(input.capacity.size() == places && split.size() == places * places);
  PROXIMA_CHECK(input.price.empty() || input.price.size() == places * places);
  PROXIMA_CHECK(input.may_stay.empty() || input.may_stay.size() == places);
  PROXIMA_CHECK(input.taken.empty() || input.taken.size() == places);
  PROXIMA_CHECK(input.overload >= 0);
  double capacity = 0;
  for (std::size_t place = 0; place < places; ++place) {
    PROXIMA_CHECK(input.demand[place] >= 0 && std::isfinite(input.demand[place]));
    PROXIMA_CHECK(input.capacity[place] >= 0 && std::isfinite(input.capacity[place]));
    capacity += input.capacity[place];
  }
  PROXIMA_CHECK(capacity > 0);
  for (const double price : input.price) PROXIMA_CHECK(price >= 0 && std::isfinite(price));
}

// Whether home is free and everywhere else equally expensive: then only what stays matters.
bool is_uniform(const BalancedInput& input) {
  if (input.price.empty()) return true;
  const std::size_t places = input.demand.size();
  const double elsewhere = places > 1 ? input.price[1] : 1;
  if (elsewhere <= 0) return false;
  for (std::size_t from = 0; from < places; ++from) {
    for (std::size_t to = 0; to < places; ++to) {
      if (input.price[from * places + to] != (from == to ? 0 : elsewhere)) return false;
    }
  }
  return true;
}

// What stays at home, and what room that leaves. Returns the size of the common pool.
double keep_at_home(const BalancedInput& input, BalancedWorkspace& workspace) {
  const std::size_t places = input.demand.size();
  workspace.kept.resize(places);
  workspace.filled.resize(places);
  workspace.width.resize(places);
  double pool = 0;
  for (std::size_t place = 0; place < places; ++place) {
    const double capacity = input.capacity[place];
    const double taken = taken_at(input, place);
    const double room = capacity > 0 ? (1 + input.overload) * capacity - taken : 0;
    const double wanted = may_stay_at(input, place) ? input.demand[place] : 0;
    const double kept = std::max(0.0, std::min(wanted, room));
    workspace.kept[place] = kept;
    workspace.filled[place] = taken + kept;
    workspace.width[place] = kept < room ? capacity : 0;
    pool += input.demand[place] - kept;
  }
  return pool;
}

// The pool is poured into the least-loaded places first.
void pour_pool(double pool, BalancedWorkspace& workspace) {
  const double level = water_level(pool, workspace.width, workspace.filled);
  workspace.added.resize(workspace.width.size());
  double poured_in = 0;
  for (std::size_t place = 0; place < workspace.width.size(); ++place) {
    workspace.added[place] = poured(level, workspace.width[place], workspace.filled[place]);
    poured_in += workspace.added[place];
  }
  // A pool that is mere rounding beside what is there raises no level: it goes by width.
  const auto& shape = poured_in > 0 ? workspace.added : workspace.width;
  const double whole = std::accumulate(shape.begin(), shape.end(), 0.0);
  for (std::size_t place = 0; place < workspace.width.size(); ++place) {
    workspace.added[place] = pool * (shape[place] / whole);
  }
}

void fill_split_uniformly(const BalancedInput& input, double pool, BalancedWorkspace& workspace,
                          std::span<double> split) {
  const std::size_t places = input.demand.size();
  std::fill(split.begin(), split.end(), 0);
  for (std::size_t from = 0; from < places; ++from) {
    const double exported = input.demand[from] - workspace.kept[from];
    double* row = split.data() + from * places;
    if (exported > 0) {
      const double part = exported / pool;
      for (std::size_t to = 0; to < places; ++to) row[to] = part * workspace.added[to];
    }
    row[from] += workspace.kept[from];
  }
}

// The place with room for all that nobody has room for exists unless rounding ate it: a bound of 0
// and capacities that sum to a hair less than 1.
bool has_receiver(const BalancedWorkspace& workspace) {
  return std::any_of(workspace.width.begin(), workspace.width.end(),
                     [](double width) { return width > 0; });
}

void split_uniform(const BalancedInput& input, BalancedWorkspace& workspace,
                   std::span<double> split) {
  const double pool = keep_at_home(input, workspace);
  if (pool > 0) {
    if (!has_receiver(workspace)) {
      workspace.width.assign(input.capacity.begin(), input.capacity.end());
    }
    pour_pool(pool, workspace);
  }
  fill_split_uniformly(input, pool, workspace, split);
}

// The price of the nearest other place that can serve; nothing when home is the only one.
std::optional<double> nearest_other_price(const BalancedInput& input, std::size_t home) {
  std::optional<double> nearest;
  for (std::size_t place = 0; place < input.demand.size(); ++place) {
    if (place == home || input.capacity[place] <= 0) continue;
    const double price = price_between(input, home, place);
    if (!nearest || price < *nearest) nearest = price;
  }
  return nearest;
}

void set_prices(const BalancedInput& input, BalancedWorkspace& workspace) {
  const std::size_t places = input.demand.size();
  workspace.price.resize(places * places);
  for (std::size_t from = 0; from < places; ++from) {
    for (std::size_t to = 0; to < places; ++to) {
      workspace.price[from * places + to] = price_between(input, from, to);
    }
    if (may_stay_at(input, from)) continue;
    if (const auto nearest = nearest_other_price(input, from)) {
      workspace.price[from * places + from] = *nearest;
    }
  }
}

// Whether home is the only cheapest target of every place and has room for all of its demand.
// Mostly so, and then there is nothing to solve.
bool all_fits_at_home(const BalancedInput& input, std::span<const double> price) {
  const std::size_t places = input.demand.size();
  for (std::size_t from = 0; from < places; ++from) {
    if (input.demand[from] <= 0) continue;
    if (input.capacity[from] <= 0) return false;
    const double room = (1 + input.overload) * input.capacity[from] - taken_at(input, from);
    if (input.demand[from] > room) return false;
    const double* row = price.data() + from * places;
    for (std::size_t to = 0; to < places; ++to) {
      if (to != from && input.capacity[to] > 0 && row[to] <= row[from]) return false;
    }
  }
  return true;
}

void split_by_flow(const BalancedInput& input, BalancedWorkspace& workspace,
                   std::span<double> split) {
  set_prices(input, workspace);
  if (all_fits_at_home(input, workspace.price)) {
    std::fill(split.begin(), split.end(), 0);
    const std::size_t places = input.demand.size();
    for (std::size_t place = 0; place < places; ++place) {
      split[place * places + place] = input.demand[place];
    }
    return;
  }
  workspace.transport.solve({.demand = input.demand,
                             .capacity = input.capacity,
                             .taken = input.taken,
                             .limit = 1 + input.overload,
                             .price = workspace.price},
                            split);
}

BalancedOutcome outcome_of(const BalancedInput& input, std::span<const double> split) {
  const std::size_t places = input.demand.size();
  BalancedOutcome outcome;
  for (std::size_t to = 0; to < places; ++to) {
    double load = taken_at(input, to);
    for (std::size_t from = 0; from < places; ++from) {
      const double share = split[from * places + to];
      load += share;
      outcome.cost += share * price_between(input, from, to);
    }
    outcome.local_share += split[to * places + to];
    if (input.capacity[to] <= 0) continue;
    outcome.worst_overload = std::max(outcome.worst_overload, load / input.capacity[to] - 1);
  }
  return outcome;
}

}  // namespace

BalancedOutcome balanced_split(const BalancedInput& input, BalancedWorkspace& workspace,
                               std::span<double> split) {
  check_input(input, split);
  if (is_uniform(input)) {
    split_uniform(input, workspace, split);
  } else {
    split_by_flow(input, workspace, split);
  }
  return outcome_of(input, split);
}

}  // namespace proxima::policy
