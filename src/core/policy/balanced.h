// SPDX-License-Identifier: Apache-2.0
// The least cross-zone traffic possible under a load bound: a small transport problem with a
// closed form for uniform prices and min-cost flow for a price matrix. There is always an answer.
//
// A place is a zone; the last place is "no zone", where nodes and endpoints without one are.
#pragma once

#include <span>
#include <vector>

#include "core/policy/transport.h"

namespace proxima::policy {

struct BalancedInput {
  std::span<const double> demand;    // by place: share of the traffic that starts there; sum 1
  std::span<const double> capacity;  // by place: share of the serving capacity there; sum 1
  double overload = 0.2;             // no place takes more than (1 + overload) × capacity; may be
                                     // infinite: then only a place without capacity exports
  // Row-major by place: cost of one unit from → to, finite and at least 0. Empty: 0 at home, 1
  // elsewhere.
  std::span<const double> price;
  // By place: 0 where too few endpoints stand for traffic to prefer staying. Empty: it may stay
  // everywhere. Such a place is treated as if home were as far as the nearest other place.
  std::span<const unsigned char> may_stay;
  // By place: load that is there already and counts towards the bound, within the bound and not
  // part of the demand. Empty: none.
  std::span<const double> taken;
};

struct BalancedOutcome {
  double local_share = 0;     // Σ x_zz
  double worst_overload = 0;  // max over places of load / capacity − 1; never below 0
  double cost = 0;            // Σ price × x, by the prices given (or uniform)
};

// Reusable working memory, so that planning thousands of services allocates only once.
struct BalancedWorkspace {
  std::vector<double> kept;    // by place: stays at home
  std::vector<double> filled;  // by place: kept, and taken before
  std::vector<double> width;   // by place: capacity of those that can receive more
  std::vector<double> added;   // by place: received from the common pool
  std::vector<double> price;   // as given, but for places where traffic may not prefer staying
  TransportSolver transport;
};

// Fills `split` (row-major, places × places): what goes from place z to place t. Row z sums to
// demand[z]. Among the cheapest plans the one with the lowest worst overload; what is left is
// poured into the least-loaded places first; every exporter splits over the receivers in the same
// proportions. Does not depend on the order of places, and a small change of the input is a small
// change of the split. Some place must have capacity.
BalancedOutcome balanced_split(const BalancedInput& input, BalancedWorkspace& workspace,
                               std::span<double> split);

}  // namespace proxima::policy
