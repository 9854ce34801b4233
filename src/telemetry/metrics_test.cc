// SPDX-License-Identifier: Apache-2.0
#include "telemetry/metrics.h"

#include <gtest/gtest.h>

#include <thread>

#include "telemetry/rendering_hook.h"

namespace proxima::telemetry {
namespace {

TEST(Metrics, AMetricWithoutLabelsShowsItsZeroAtOnce) {
  MetricsRegistry registry;
  registry.counter("a_total", "Help of it.");
  EXPECT_EQ(registry.render(),
            "# HELP a_total Help of it.\n"
            "# TYPE a_total counter\n"
            "a_total 0\n");
}

TEST(Metrics, AFamilyWithoutSeriesShowsNothing) {
  MetricsRegistry registry;
  registry.counters({.name = "a_total", .help = "h", .labels = {"result"}});
  EXPECT_EQ(registry.render(), "");
}

TEST(Metrics, FamiliesAndSeriesAreInOrder) {
  MetricsRegistry registry;
  const auto syncs = registry.gauges({.name = "syncs", .help = "s", .labels = {"z", "a"}});
  syncs.with({"2", "x"}).set(0.25);
  syncs.with({"1", "y"}).set(-3);
  syncs.with({"1", "x"}).set(1e21);
  registry.counter("another_total", "a").add(1e15 + 1);
  EXPECT_EQ(registry.render(),
            "# HELP another_total a\n"
            "# TYPE another_total counter\n"
            "another_total 1000000000000001\n"
            "# HELP syncs s\n"
            "# TYPE syncs gauge\n"
            "syncs{a=\"x\",z=\"1\"} 1e+21\n"
            "syncs{a=\"x\",z=\"2\"} 0.25\n"
            "syncs{a=\"y\",z=\"1\"} -3\n");
}

TEST(Metrics, WhatUsersWroteIsEscaped) {
  MetricsRegistry registry;
  registry.counters({.name = "a", .help = "one\ntwo \\ three", .labels = {"text"}})
      .with({"say \"x\" \\ and\nthen"})
      .add();
  EXPECT_EQ(registry.render(),
            "# HELP a one\\ntwo \\\\ three\n"
            "# TYPE a counter\n"
            "a{text=\"say \\\"x\\\" \\\\ and\\nthen\"} 1\n");
}

TEST(Metrics, ABucketIncludesItsUpperBound) {
  MetricsRegistry registry;
  const Histogram sizes = registry.histogram("sizes", "h", {2, 4});
  for (const double value : {1.0, 2.0, 2.5, 100.0}) sizes.observe(value);
  EXPECT_EQ(registry.render(),
            "# HELP sizes h\n"
            "# TYPE sizes histogram\n"
            "sizes_count 4\n"
            "sizes_sum 105.5\n"
            "sizes_bucket{le=\"2\"} 2\n"
            "sizes_bucket{le=\"4\"} 3\n"
            "sizes_bucket{le=\"+Inf\"} 4\n");
}

TEST(Metrics, SeriesGoWhenTheirObjectGoes) {
  MetricsRegistry registry;
  const auto policies = registry.gauges({.name = "policy", .help = "h", .labels = {"service"}});
  for (const char* service : {"a", "b", "c"}) policies.with({service}).set(1);
  policies.remove({"b"});
  policies.remove({"never there"});
  EXPECT_EQ(registry.render(),
            "# HELP policy h\n# TYPE policy gauge\npolicy{service=\"a\"} 1\n"
            "policy{service=\"c\"} 1\n");
  policies.clear();
  EXPECT_EQ(registry.render(), "");
  policies.with({"b"}).add(2);
  EXPECT_EQ(policies.with({"b"}).value(), 2);
}

TEST(Metrics, ManySeriesComeAndGoInNoTime) {
  MetricsRegistry registry;
  const auto policies = registry.gauges({.name = "policy", .help = "h", .labels = {"service"}});
  constexpr int kSeries = 30'000;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kSeries; ++i) policies.with({std::to_string(i)}).set(1);
    policies.clear();
    for (int i = 0; i < kSeries; ++i) policies.with({std::to_string(i)}).set(1);
    for (int i = 0; i < kSeries; ++i) policies.remove({std::to_string(i)});
  }
  EXPECT_EQ(registry.render(), "");
}

TEST(Metrics, LooksUpWhatIsNotCounted) {
  MetricsRegistry registry;
  const Gauge depth = registry.gauge("depth", "h");
  int present = 7;
  registry.before_rendering([&] { depth.set(present); });
  EXPECT_NE(registry.render().find("depth 7\n"), std::string::npos);
  present = 8;
  EXPECT_NE(registry.render().find("depth 8\n"), std::string::npos);
}

TEST(Metrics, NothingIsLostWhenManyThreadsCount) {
  MetricsRegistry registry;
  const auto syncs = registry.counters({.name = "syncs", .help = "h", .labels = {"result"}});
  const Histogram sizes = registry.histogram("sizes", "h", {10});
  constexpr int kThreads = 4;
  constexpr int kTimes = 5000;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kTimes; ++i) {
        syncs.with({i % 2 == 0 ? "success" : "error"}).add();
        sizes.observe(1);
        if (i % 1000 != 0) continue;
        EXPECT_FALSE(registry.render().empty());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(syncs.with({"success"}).value(), kThreads * kTimes / 2);
  EXPECT_EQ(syncs.with({"error"}).value(), kThreads * kTimes / 2);
  EXPECT_NE(registry.render().find("sizes_count 20000\n"), std::string::npos);
}

TEST(Metrics, BucketsGrowByTheirFactor) {
  EXPECT_EQ(exponential_buckets(2, 2, 4), (std::vector<double>{2, 4, 8, 16}));
  EXPECT_EQ(default_buckets().front(), 0.005);
  EXPECT_EQ(default_buckets().back(), 10);
}

TEST(MetricsDeathTest, MistakesInDeclarationsStopTheProgram) {
  MetricsRegistry registry;
  registry.counter("a", "h");
  EXPECT_DEATH(registry.counter("a", "h"), "names.insert");
  EXPECT_DEATH(registry.gauge("a", "h"), "names.insert");
  registry.counters({"f", "h", {"x"}});
  EXPECT_DEATH(registry.counters({"f", "other words", {"x"}}), "names.insert");
  EXPECT_DEATH(registry.gauge("not a name", "h"), "CheckMetricName");
  EXPECT_DEATH(registry.counters({.name = "b", .help = "h", .labels = {"le"}}), "may_be_label");
  EXPECT_DEATH(registry.counters({.name = "c", .help = "h", .labels = {"x"}}).with({}), "size");
  EXPECT_DEATH(registry.histogram("d", "h", {2, 1}), "is_sorted");
}

TEST(Metrics, AFamilyMayHaveSeriesOfSeveralParts) {
  MetricsRegistry registry;
  registry.counters({"adds_total", "Help.", {"name"}}).with({"a"}).add(1);
  registry.counters({"adds_total", "Help.", {"name"}}).with({"b"}).add(2);
  EXPECT_EQ(registry.render(),
            "# HELP adds_total Help.\n# TYPE adds_total counter\nadds_total{name=\"a\"} 1\n"
            "adds_total{name=\"b\"} 2\n");
}

TEST(Metrics, AHookLooksUpAsLongAsItLives) {
  MetricsRegistry registry;
  int looks = 0;
  {
    const RenderingHook hook(registry, [&looks] { ++looks; });
    registry.render();
    registry.render();
  }
  registry.render();
  EXPECT_EQ(looks, 2);
}

TEST(Metrics, DeclaredAreKnownBeforeTheyHaveValues) {
  MetricsRegistry registry;
  registry.gauges({"b_gauge", "Help.", {"zone"}});
  registry.histogram("c_seconds", "Help.", {1.0});
  registry.counters({"a_total", "Help.", {"x", "y"}});
  const std::vector<MetricName> declared = registry.declared();
  ASSERT_EQ(declared.size(), 3U);
  EXPECT_EQ(declared[0].name, "a_total");
  EXPECT_EQ(declared[0].labels, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(declared[1].name, "b_gauge");
  EXPECT_EQ(declared[2].name, "c_seconds");
}

}  // namespace
}  // namespace proxima::telemetry
