// SPDX-License-Identifier: Apache-2.0
#include "lab/number_ring.h"

#include <gtest/gtest.h>

namespace proxima::lab {
namespace {

TEST(NumberRing, GivesANumberAgainOnlyAfterAllTheOthersHadTheirTurn) {
  NumberRing ring(4);
  EXPECT_EQ(ring.take(), 1U);
  ring.give_back(1);
  for (const std::size_t next : {2U, 3U, 4U, 1U}) EXPECT_EQ(ring.take(), next);
}

TEST(NumberRing, GoesRoundThoseThatAreOut) {
  NumberRing ring(3);
  for (const std::size_t next : {1U, 2U, 3U}) EXPECT_EQ(ring.take(), next);
  EXPECT_EQ(ring.take(), std::nullopt);
  ring.give_back(2);
  EXPECT_EQ(ring.take(), 2U);
  EXPECT_EQ(ring.take(), std::nullopt);
}

}  // namespace
}  // namespace proxima::lab
