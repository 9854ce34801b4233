// SPDX-License-Identifier: Apache-2.0
#include "proxy/proxy_intake.h"

#include <gtest/gtest.h>

#include "support/route_world.h"
#include "telemetry/metrics.h"

namespace proxima::proxy {
namespace {

std::string names(const std::vector<kube::Change<kube::EndpointSliceRecord>>& changes) {
  std::string text;
  for (const auto& change : changes) {
    const std::string what = !change.before ? "+" : !change.now ? "-" : "~";
    text += (text.empty() ? "" : " ") + what + std::string(change.key().name);
  }
  return text;
}

TEST(ProxyIntake, GivesTheSumOfWhatHappenedAndEachEvent) {
  telemetry::MetricsRegistry registry;
  ProxyMetrics metrics(registry);
  ProxyIntake intake(metrics);
  const auto slice = [](int version) {
    return test::slice("s/a/x version=" + std::to_string(version) + " port=p:80 10.0.0.1");
  };
  intake.slices.put(slice(1));
  intake.slices.put(slice(2));
  EXPECT_TRUE(intake.has_changes());
  EXPECT_EQ(intake.waiting().slices, 1U);
  EXPECT_EQ(intake.waiting().slice_events, 2U);
  ProxyIntake::Taken taken = intake.take();
  EXPECT_EQ(names(taken.slices), "+x");
  EXPECT_EQ(names(taken.slice_events), "+x ~x");
  intake.slices.put(slice(3));
  intake.slices.erase({.ns = "s", .name = "x"});
  taken = intake.take();
  EXPECT_EQ(names(taken.slices), "-x");
  EXPECT_EQ(names(taken.slice_events), "~x -x");
  EXPECT_FALSE(intake.has_changes());
  EXPECT_TRUE(intake.take().slice_events.empty());
}

}  // namespace
}  // namespace proxima::proxy
