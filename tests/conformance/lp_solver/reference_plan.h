// SPDX-License-Identifier: Apache-2.0
// What a general LP solver (GLPK) says about the transport problem of `balanced`: the lowest cost,
// and the lowest worst load among the plans that cost no more. Shares nothing with the policy.
#pragma once

#include <vector>

namespace proxima::lp {

struct Question {
  std::vector<double> demand;    // by place
  std::vector<double> capacity;  // by place
  std::vector<double> price;     // row-major
  double limit = 1;              // load ≤ limit × capacity; may be infinite
};

struct Reference {
  bool solved = false;
  double cost = 0;
  double worst_load = 0;  // highest load / capacity of the most even cheapest plan
};

Reference solve_reference(const Question& question);

}  // namespace proxima::lp
