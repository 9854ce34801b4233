// SPDX-License-Identifier: Apache-2.0
// The flow has the form row × column factor on the arcs that can carry flow at all. Where every
// source shares every sink, the first scaling is exact; otherwise scaling is repeated, and where
// that is slow Newton's method finishes.
#include "core/policy/proportional_flow.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace proxima::policy {
namespace {

// Flow below this part of the traffic is rounding and cannot be rerouted.
constexpr double kFlowTolerance = 1e-13;
constexpr int kScalingSteps = 8;
constexpr int kStepsMax = 120;
// Newton's step in the logarithm of a factor, at most: further away its model does not hold.
constexpr double kStepMax = 1.5;

}  // namespace

void ProportionalFlow::solve(FlowNetwork& network) {
  close_forced(network);
  if (!read_sums(network)) return;
  close_unusable(network);
  close_forced(network);
  if (read_sums(network)) fit(network);
}

// The flow on the only arc of a source or a sink is given by the sums; it keeps the flow it has
// and is closed, which may leave others with a single arc.
void ProportionalFlow::close_forced(FlowNetwork& network) {
  source_degree_.assign(network.sources(), 0);
  sink_degree_.assign(network.sinks(), 0);
  for (std::size_t arc = 0; arc < network.open.size(); ++arc) {
    source_degree_[arc / network.sinks()] += network.open[arc];
    sink_degree_[arc % network.sinks()] += network.open[arc];
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t source = 0; source < network.sources(); ++source) {
      for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
        std::uint8_t& open = network.open[network.arc(source, sink)];
        if (!open || (source_degree_[source] > 1 && sink_degree_[sink] > 1)) continue;
        open = 0;
        --source_degree_[source];
        --sink_degree_[sink];
        changed = true;
      }
    }
  }
}

// An open arc can carry flow when what it carries more can come back on another way.
void ProportionalFlow::close_unusable(FlowNetwork& network) {
  find_reach(network);
  const std::size_t nodes = network.sources() + network.sinks();
  for (std::size_t source = 0; source < network.sources(); ++source) {
    for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
      network.open[network.arc(source, sink)] &=
          reach_[(network.sources() + sink) * nodes + source];
    }
  }
}

void ProportionalFlow::find_reach(const FlowNetwork& network) {
  const std::size_t nodes = network.sources() + network.sinks();
  const double total = std::accumulate(row_sum_.begin(), row_sum_.end(), 0.0);
  reach_.assign(nodes * nodes, 0);
  for (std::size_t source = 0; source < network.sources(); ++source) {
    for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
      const std::size_t arc = network.arc(source, sink);
      if (!network.open[arc]) continue;
      reach_[source * nodes + network.sources() + sink] = 1;
      reach_[(network.sources() + sink) * nodes + source] =
          network.flow[arc] > kFlowTolerance * total;
    }
  }
  for (std::size_t via = 0; via < nodes; ++via) {
    for (std::size_t from = 0; from < nodes; ++from) {
      if (!reach_[from * nodes + via]) continue;
      std::uint8_t* row = reach_.data() + from * nodes;
      const std::uint8_t* more = reach_.data() + via * nodes;
      for (std::size_t to = 0; to < nodes; ++to) row[to] |= more[to];
    }
  }
}

// False when no arc is open any more.
bool ProportionalFlow::read_sums(const FlowNetwork& network) {
  row_sum_.assign(network.sources(), 0);
  column_sum_.assign(network.sinks(), 0);
  bool any = false;
  for (std::size_t source = 0; source < network.sources(); ++source) {
    for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
      const std::size_t arc = network.arc(source, sink);
      if (!network.open[arc]) continue;
      any = true;
      row_sum_[source] += network.flow[arc];
      column_sum_[sink] += network.flow[arc];
    }
  }
  return any;
}

void ProportionalFlow::fit(FlowNetwork& network) {
  const double total = std::accumulate(row_sum_.begin(), row_sum_.end(), 0.0);
  factor_ = column_sum_;
  for (int step = 0; step < kStepsMax; ++step) {
    if (spread(network) <= kFlowTolerance * total) return;
    if (step < kScalingSteps) {
      scale_columns();
    } else {
      newton_step(network);
    }
  }
}

// Spreads every row by the factors; returns how far the worst column is off.
double ProportionalFlow::spread(FlowNetwork& network) {
  fitted_sum_.assign(network.sinks(), 0);
  for (std::size_t source = 0; source < network.sources(); ++source) {
    const std::size_t first = network.arc(source, 0);
    double weight = 0;
    for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
      if (network.open[first + sink]) weight += factor_[sink];
    }
    if (weight <= 0) continue;
    for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
      if (!network.open[first + sink]) continue;
      network.flow[first + sink] = row_sum_[source] * (factor_[sink] / weight);
      fitted_sum_[sink] += network.flow[first + sink];
    }
  }
  double worst = 0;
  for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
    worst = std::max(worst, std::abs(fitted_sum_[sink] - column_sum_[sink]));
  }
  return worst;
}

void ProportionalFlow::scale_columns() {
  for (std::size_t sink = 0; sink < factor_.size(); ++sink) {
    if (fitted_sum_[sink] > 0) factor_[sink] *= column_sum_[sink] / fitted_sum_[sink];
  }
}

// The fit is the minimum of a convex function of the factors' logarithms, whose gradient is how far
// the columns are off.
void ProportionalFlow::newton_step(const FlowNetwork& network) {
  build_curvature(network);
  step_.assign(network.sinks(), 0);
  for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
    step_[sink] = column_sum_[sink] - fitted_sum_[sink];
  }
  solve_curvature();
  double longest = 0;
  for (double step : step_) longest = std::max(longest, std::abs(step));
  const double damping = longest > kStepMax ? kStepMax / longest : 1;
  for (std::size_t sink = 0; sink < network.sinks(); ++sink) {
    factor_[sink] *= std::exp(damping * step_[sink]);
  }
}

void ProportionalFlow::build_curvature(const FlowNetwork& network) {
  const std::size_t sinks = network.sinks();
  curvature_.assign(sinks * sinks, 0);
  for (std::size_t sink = 0; sink < sinks; ++sink) {
    curvature_[sink * sinks + sink] = fitted_sum_[sink];
  }
  for (std::size_t source = 0; source < network.sources(); ++source) {
    if (row_sum_[source] <= 0) continue;
    const std::size_t first = network.arc(source, 0);
    for (std::size_t a = 0; a < sinks; ++a) {
      if (!network.open[first + a]) continue;
      const double part = network.flow[first + a] / row_sum_[source];
      for (std::size_t b = 0; b < sinks; ++b) {
        if (network.open[first + b]) curvature_[a * sinks + b] -= part * network.flow[first + b];
      }
    }
  }
}

// Gaussian elimination without pivoting, which is stable here: the matrix is symmetric, diagonally
// dominant, and singular once for every connected part, because only the ratios of factors matter.
// A pivot that vanishes is such a freedom; its factor stays as it is.
void ProportionalFlow::solve_curvature() {
  const std::size_t sinks = step_.size();
  for (std::size_t pivot = 0; pivot < sinks; ++pivot) {
    double* pivot_row = curvature_.data() + pivot * sinks;
    const bool vanished = pivot_row[pivot] <= 1e-13 * fitted_sum_[pivot];
    if (vanished) pivot_row[pivot] = 0;
    for (std::size_t below = pivot + 1; below < sinks && !vanished; ++below) {
      double* row = curvature_.data() + below * sinks;
      const double multiple = row[pivot] / pivot_row[pivot];
      if (multiple == 0) continue;
      for (std::size_t k = pivot; k < sinks; ++k) row[k] -= multiple * pivot_row[k];
      step_[below] -= multiple * step_[pivot];
    }
  }
  for (std::size_t left = sinks; left > 0; --left) {
    const std::size_t pivot = left - 1;
    const double* row = curvature_.data() + pivot * sinks;
    for (std::size_t k = pivot + 1; k < sinks; ++k) step_[pivot] -= row[k] * step_[k];
    step_[pivot] = row[pivot] > 0 ? step_[pivot] / row[pivot] : 0;
  }
}

}  // namespace proxima::policy
