// SPDX-License-Identifier: Apache-2.0
// Random transport problems of every kind that a cluster can pose, and some that it cannot.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "conformance/lp_solver/reference_plan.h"

namespace proxima::lp {

class QuestionSource {
 public:
  explicit QuestionSource(std::uint64_t seed) : random_(seed) {}

  // Endpoints are whole and weighted, some places have none, some start no traffic; every kind of
  // price and of bound comes up.
  Question next();

  // The bounds that questions use: 0, small, 20 %, double, none.
  double next_limit();

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  double real() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  std::size_t place_count();
  std::vector<double> demand(std::size_t places);
  std::vector<double> capacity(std::size_t places);
  std::vector<double> prices(std::size_t places);

  std::mt19937_64 random_;
};

}  // namespace proxima::lp
