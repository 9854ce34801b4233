// SPDX-License-Identifier: Apache-2.0
#include "core/policy/transport.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace proxima::policy {
namespace {

// Amounts below this part of the traffic are the rounding of sums.
constexpr double kDust = 1e-15;

}  // namespace

void TransportSolver::solve(const TransportProblem& problem, std::span<double> split) {
  std::fill(split.begin(), split.end(), 0);
  read_places(problem);
  if (source_place_.empty()) return;
  build_network(problem);
  cheapest_.solve(network_, price_);
  level_.solve(network_, {.supply = supply_,
                          .width = width_,
                          .filled = filled_,
                          .room = room_,
                          .role = cheapest_.roles()});
  proportional_.solve(network_);
  write_split(problem, split);
}

void TransportSolver::read_places(const TransportProblem& problem) {
  source_place_.clear();
  sink_place_.clear();
  for (std::uint32_t place = 0; place < problem.demand.size(); ++place) {
    if (problem.demand[place] > 0) source_place_.push_back(place);
    if (problem.capacity[place] > 0) sink_place_.push_back(place);
  }
  PROXIMA_CHECK(!sink_place_.empty());
}

void TransportSolver::build_network(const TransportProblem& problem) {
  network_.reset(source_place_.size(), sink_place_.size());
  supply_.clear();
  width_.clear();
  filled_.clear();
  room_.clear();
  price_.clear();
  for (const std::uint32_t place : source_place_) {
    supply_.push_back(problem.demand[place]);
    const auto row = problem.price.subspan(place * problem.demand.size(), problem.demand.size());
    for (const std::uint32_t target : sink_place_) price_.push_back(row[target]);
  }
  for (const std::uint32_t place : sink_place_) {
    const double taken = problem.taken.empty() ? 0 : problem.taken[place];
    width_.push_back(problem.capacity[place]);
    filled_.push_back(taken);
    room_.push_back(std::max(0.0, problem.limit * problem.capacity[place] - taken));
  }
  network_.excess = supply_;
  network_.room = room_;
  network_.dust = kDust * std::accumulate(supply_.begin(), supply_.end(), 0.0);
}

void TransportSolver::write_split(const TransportProblem& problem, std::span<double> split) const {
  for (std::size_t source = 0; source < network_.sources(); ++source) {
    const auto flow = std::span(network_.flow).subspan(network_.arc(source, 0), network_.sinks());
    const auto row = split.subspan(source_place_[source] * problem.demand.size());
    const double sent = std::accumulate(flow.begin(), flow.end(), 0.0);
    // A demand as small as rounding may not have been sent at all.
    if (sent < supply_[source] / 2) {
      row[sink_place_[cheapest_sink(source)]] = supply_[source];
      continue;
    }
    for (std::size_t sink = 0; sink < network_.sinks(); ++sink) {
      row[sink_place_[sink]] = flow[sink] * (supply_[source] / sent);
    }
  }
}

std::uint32_t TransportSolver::cheapest_sink(std::size_t source) const {
  const auto row = std::span(price_).subspan(network_.arc(source, 0), network_.sinks());
  return static_cast<std::uint32_t>(std::min_element(row.begin(), row.end()) - row.begin());
}

}  // namespace proxima::policy
