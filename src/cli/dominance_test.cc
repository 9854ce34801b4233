// SPDX-License-Identifier: Apache-2.0
#include "cli/dominance.h"

#include <gtest/gtest.h>

namespace proxima::cli {
namespace {

plan::VariantTotal total(double local, double overload, double rejected = 0) {
  plan::VariantTotal result;
  result.local = local;
  result.worst_overload = overload;
  result.rejected = rejected;
  return result;
}

TEST(Dominance, NeedsNoWorseInAnythingAndBetterInSomething) {
  struct Row {
    const char* name;
    plan::VariantTotal first, second;
    std::optional<std::size_t> first_by, second_by;
  };
  const Row rows[] = {
      {"more local at the same overload", total(0.9, 0.2), total(0.8, 0.2), {}, 0},
      {"as local with less overload", total(0.9, 0.3), total(0.9, 0.2), 1, {}},
      {"a trade is no dominance", total(0.9, 0.3), total(0.8, 0.2), {}, {}},
      {"equals leave each other alone", total(0.9, 0.2), total(0.9, 0.2), {}, {}},
      {"rounding is no difference", total(0.9, 0.2), total(0.9 - 1e-9, 0.2), {}, {}},
      {"rejecting traffic is no way to win", total(0.9, 0.2, 0.1), total(0.8, 0.2), {}, {}},
      {"rejecting less wins", total(0.9, 0.2, 0.1), total(0.9, 0.2), 1, {}},
  };
  for (const Row& row : rows) {
    const plan::VariantTotal totals[] = {row.first, row.second};
    const auto by = dominated_by(totals, &plan::VariantTotal::worst_overload);
    EXPECT_EQ(by[0], row.first_by) << row.name;
    EXPECT_EQ(by[1], row.second_by) << row.name;
  }
}

TEST(Dominance, NamesTheOneThatKeepsMostLocal) {
  const plan::VariantTotal totals[] = {total(0.5, 0.5), total(0.7, 0.1), total(0.9, 0.4)};
  EXPECT_EQ(dominated_by(totals, &plan::VariantTotal::worst_overload)[0], 2U);
}

TEST(Dominance, FollowsTheMeasureItIsGiven) {
  plan::VariantTotal totals[] = {total(0.9, 0.1), total(0.9, 0.2)};
  totals[0].mean_worst_overload = 0.05;
  totals[1].mean_worst_overload = 0.01;
  EXPECT_EQ(dominated_by(totals, &plan::VariantTotal::worst_overload)[1], 0U);
  EXPECT_EQ(dominated_by(totals, &plan::VariantTotal::mean_worst_overload)[0], 1U);
}

}  // namespace
}  // namespace proxima::cli
