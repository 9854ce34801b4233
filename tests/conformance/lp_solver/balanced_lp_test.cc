// SPDX-License-Identifier: Apache-2.0
// `balanced` against an independent solver. PROXIMA_LP_CASES sets how many cases, PROXIMA_SEED
// which.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "conformance/lp_solver/random_question.h"
#include "conformance/lp_solver/reference_plan.h"
#include "core/policy/balanced.h"

namespace proxima::lp {
namespace {

std::uint64_t setting(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

struct Plan {
  std::vector<double> split;
  policy::BalancedOutcome outcome;
};

Plan plan_of(const Question& question, policy::BalancedWorkspace& workspace) {
  Plan plan;
  plan.split.resize(question.price.size());
  plan.outcome = policy::balanced_split({.demand = question.demand,
                                         .capacity = question.capacity,
                                         .overload = question.limit - 1,
                                         .price = question.price,
                                         .may_stay = {},
                                         .taken = {}},
                                        workspace, plan.split);
  return plan;
}

void expect_possible(const Question& question, const Plan& plan) {
  const std::size_t places = question.demand.size();
  for (std::size_t z = 0; z < places; ++z) {
    double row = 0;
    double load = 0;
    for (std::size_t t = 0; t < places; ++t) {
      EXPECT_GE(plan.split[z * places + t], 0);
      row += plan.split[z * places + t];
      load += plan.split[t * places + z];
    }
    EXPECT_NEAR(row, question.demand[z], 1e-12);
    const double limit = question.capacity[z] > 0 ? question.limit * question.capacity[z] : 0;
    EXPECT_LE(load, limit + (limit > 0 ? 1e-9 : 0));
  }
}

// The worst load as this test sees it, not as the policy reports it.
double worst_load(const Question& question, const Plan& plan) {
  const std::size_t places = question.demand.size();
  double worst = 0;
  for (std::size_t t = 0; t < places; ++t) {
    double load = 0;
    for (std::size_t z = 0; z < places; ++z) load += plan.split[z * places + t];
    if (question.capacity[t] > 0) worst = std::max(worst, load / question.capacity[t]);
  }
  return worst;
}

double cost(const Question& question, const Plan& plan) {
  double sum = 0;
  for (std::size_t arc = 0; arc < plan.split.size(); ++arc) {
    sum += plan.split[arc] * question.price[arc];
  }
  return sum;
}

TEST(Balanced, IsTheCheapestPlanWithTheLowestWorstOverload) {
  const std::uint64_t cases = setting("PROXIMA_LP_CASES", 10'000);
  const std::uint64_t seed = setting("PROXIMA_SEED", 20'250'101);
  std::cout << "PROXIMA_SEED=" << seed << " PROXIMA_LP_CASES=" << cases << "\n";
  policy::BalancedWorkspace workspace;
  for (std::uint64_t i = 0; i < cases; ++i) {
    SCOPED_TRACE(::testing::Message() << "PROXIMA_SEED=" << seed + i << " PROXIMA_LP_CASES=1");
    const Question question = QuestionSource(seed + i).next();
    const Plan plan = plan_of(question, workspace);
    const Reference reference = solve_reference(question);
    ASSERT_TRUE(reference.solved);
    expect_possible(question, plan);
    const double scale = std::max(1.0, reference.cost);
    EXPECT_NEAR(cost(question, plan), reference.cost, 1e-9 * scale);
    EXPECT_NEAR(plan.outcome.cost, reference.cost, 1e-9 * scale);
    EXPECT_NEAR(worst_load(question, plan), reference.worst_load, 1e-9);
    EXPECT_NEAR(plan.outcome.worst_overload, std::max(0.0, reference.worst_load - 1), 1e-9);
    if (HasFailure()) break;  // the first case that fails says enough
  }
}

}  // namespace
}  // namespace proxima::lp
