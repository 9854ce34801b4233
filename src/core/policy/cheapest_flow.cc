// SPDX-License-Identifier: Apache-2.0
// Primal-dual: as long as there is excess, send all that can go at the price of the next unit, then
// look up the next price. The distances of the last round are optimal duals: they tell which arcs
// and sinks the cheapest flows may use.
#include "core/policy/cheapest_flow.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace proxima::policy {
namespace {

constexpr double kUnreached = std::numeric_limits<double>::infinity();

// Sums of prices that differ by less than this part of the highest price in use are equal: 0.1 +
// 0.2 is as expensive as 0.3.
constexpr double kPriceTolerance = 1e-13;

double total(std::span<const double> amounts) {
  return std::accumulate(amounts.begin(), amounts.end(), 0.0);
}

bool lower(double& value, double candidate) {
  if (candidate >= value) return false;
  value = candidate;
  return true;
}

}  // namespace

void CheapestFlow::solve(FlowNetwork& network, std::span<const double> price) {
  reduce_prices(network, price);
  double left = total(network.excess);
  const double enough = network.dust * static_cast<double>(network.sources());
  // Every round sends something unless only rounding is left, and raises the price.
  for (double before = kUnreached; left > enough && left < before;) {
    find_distances(network);
    open_shortest(network);
    network.push_all();
    before = left;
    left = total(network.excess);
  }
  open_shortest(network);
  assign_roles(network);
}

// Every plan pays the cheapest price of each source, so only the difference matters; taking it
// away keeps large common parts out of the comparisons.
void CheapestFlow::reduce_prices(const FlowNetwork& network, std::span<const double> price) {
  price_.assign(price.begin(), price.end());
  for (std::size_t source = 0; source < network.sources(); ++source) {
    const auto row = std::span(price_).subspan(network.arc(source, 0), network.sinks());
    const double least = *std::min_element(row.begin(), row.end());
    for (double& value : row) value -= least;
  }
}

void CheapestFlow::find_distances(const FlowNetwork& network) {
  source_distance_.assign(network.sources(), kUnreached);
  sink_distance_.assign(network.sinks(), kUnreached);
  in_use_.assign(network.sinks(), 0);
  end_distance_ = kUnreached;
  for (std::size_t source = 0; source < network.sources(); ++source) {
    if (network.excess[source] > network.dust) source_distance_[source] = 0;
    for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
      in_use_[sink] |= network.flow[network.arc(source, sink)] > network.dust;
    }
  }
  // A shortest way visits no node twice; more rounds would only chase rounding.
  for (std::size_t round = 0; round <= network.sources() + network.sinks(); ++round) {
    bool changed = relax_forward(network);
    changed |= relax_end(network);
    changed |= relax_backward(network);
    if (!changed) return;
  }
}

bool CheapestFlow::relax_forward(const FlowNetwork& network) {
  bool changed = false;
  for (std::size_t source = 0; source < network.sources(); ++source) {
    const double distance = source_distance_[source];
    if (distance == kUnreached) continue;
    const double* row = price_.data() + network.arc(source, 0);
    for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
      changed |= lower(sink_distance_[sink], distance + row[sink]);
    }
  }
  return changed;
}

// Unused room is the end of every way; a sink in use can also hand a unit back to the end.
bool CheapestFlow::relax_end(const FlowNetwork& network) {
  bool changed = false;
  for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
    if (network.room[sink] > network.dust) changed |= lower(end_distance_, sink_distance_[sink]);
  }
  for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
    if (in_use_[sink]) changed |= lower(sink_distance_[sink], end_distance_);
  }
  return changed;
}

bool CheapestFlow::relax_backward(const FlowNetwork& network) {
  bool changed = false;
  for (std::size_t source = 0; source < network.sources(); ++source) {
    for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
      const std::size_t arc = network.arc(source, sink);
      if (network.flow[arc] <= network.dust) continue;
      changed |= lower(source_distance_[source], sink_distance_[sink] - price_[arc]);
    }
  }
  return changed;
}

double CheapestFlow::tolerance(const FlowNetwork& network) const {
  double highest = end_distance_ == kUnreached ? 0 : end_distance_;
  for (std::size_t arc = 0; arc < price_.size(); ++arc) {
    if (network.flow[arc] > network.dust) highest = std::max(highest, price_[arc]);
  }
  return kPriceTolerance * highest;
}

void CheapestFlow::open_shortest(FlowNetwork& network) const {
  const double equal = tolerance(network);
  for (std::size_t source = 0; source < network.sources(); ++source) {
    for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
      const std::size_t arc = network.arc(source, sink);
      const double detour = source_distance_[source] + price_[arc] - sink_distance_[sink];
      const bool beyond_end = sink_distance_[sink] > end_distance_ + equal;
      const bool shortest = detour <= equal && !beyond_end;
      network.open[arc] = shortest || network.flow[arc] > network.dust;
    }
  }
}

void CheapestFlow::assign_roles(const FlowNetwork& network) {
  const double equal = tolerance(network);
  role_.assign(network.sinks(), SinkRole::Open);
  for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
    const double worth = end_distance_ - sink_distance_[sink];
    if (worth > equal) role_[sink] = SinkRole::Full;
    if (worth < -equal) role_[sink] = SinkRole::Unused;
  }
}

}  // namespace proxima::policy
