// SPDX-License-Identifier: Apache-2.0
// A `balanced` question: who asks, who serves, how much overload is allowed, what distance costs.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "base/result.h"

namespace proxima::conformance {

struct BalancedQuestion {
  std::vector<std::string> zones;  // of demand and endpoints, sorted
  std::vector<bool> asks;          // by zone: named in "demand"
  std::vector<bool> serves;        // by zone: has an endpoint
  std::vector<double> demand;      // by zone, sums to 1
  double demand_total = 0;         // sum as asked
  std::vector<double> capacity;    // by zone, sums to 1
  double overload = 0;             // infinite for null
  std::vector<double> price;       // row-major by zone
};

// Fields of other names are left alone: a file of questions may hold recorded answers. Inside an
// endpoint they are refused, because a weight under a wrong name would change the answer unseen.
Result<BalancedQuestion> read_balanced_question(const boost::json::object& question);

}  // namespace proxima::conformance
