// SPDX-License-Identifier: Apache-2.0
#include "reports/connection_deltas.h"

#include <gtest/gtest.h>

namespace proxima::reports {
namespace {

TEST(ConnectionDeltas, AreWhatCameSinceTheLastCall) {
  ConnectionDeltas deltas;
  using Counted = std::vector<CountedConnections>;
  EXPECT_EQ(deltas.take({{"a/x", {10, 7}}, {"a/y", {0, 0}}}), (Counted{{"a/x", 10, 7}}));
  EXPECT_EQ(deltas.take({{"a/x", {10, 7}}, {"a/y", {2, 0}}}), (Counted{{"a/y", 2, 0}}));
  EXPECT_EQ(deltas.take({{"a/x", {15, 7}}}), (Counted{{"a/x", 5, 0}}));
  EXPECT_EQ(deltas.take({{"a/x", {3, 1}}}), (Counted{{"a/x", 3, 1}})) << "counted anew";
  EXPECT_EQ(deltas.take({}), Counted());
  EXPECT_EQ(deltas.take({{"a/x", {4, 1}}}), (Counted{{"a/x", 4, 1}})) << "forgotten in between";
}

TEST(ConnectionDeltas, ServicesBeyondTheLimitWaitForTheNextReport) {
  ConnectionTotals totals;
  for (std::size_t i = 0; i < kCountedServicesMax + 2; ++i)
    totals["s/" + std::to_string(i)] = {i + 1, 0};
  ConnectionDeltas deltas;
  EXPECT_EQ(deltas.take(totals).size(), kCountedServicesMax);
  auto rest = deltas.take(totals);
  EXPECT_EQ(rest, (std::vector<CountedConnections>{{"s/0", 1, 0}, {"s/1", 2, 0}}));
  EXPECT_TRUE(deltas.take(totals).empty());
}

}  // namespace
}  // namespace proxima::reports
