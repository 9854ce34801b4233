// SPDX-License-Identifier: Apache-2.0
#include "traffic/traffic_meter.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <map>
#include <thread>

#include "base/split_mix.h"
#include "support/fake_clock.h"

namespace proxima::traffic {
namespace {

using proxima::testing::FakeClock;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

Flow flow(const std::string& service, const std::string& pod = "p") {
  return {.service = service,
          .from_zone = "a",
          .from_node = "node-1",
          .to_zone = "b",
          .to_node = "node-2",
          .pod = pod};
}

std::uint64_t requests(const std::vector<Seen>& rows) {
  std::uint64_t all = 0;
  for (const Seen& row : rows) all += row.requests;
  return all;
}

TEST(TrafficMeter, ShowsWholeSecondsOnly) {
  FakeClock clock;
  TrafficMeter meter(clock);
  meter.count(flow("s"), {});
  EXPECT_TRUE(meter.window(seconds(5)).empty());
  EXPECT_EQ(requests(meter.totals()), 1U);
  clock.advance(seconds(1));
  meter.count(flow("s"), {});
  EXPECT_EQ(requests(meter.window(seconds(5))), 1U);
  clock.advance(seconds(1));
  EXPECT_EQ(requests(meter.window(seconds(5))), 2U);
  EXPECT_EQ(requests(meter.window(seconds(1))), 1U);
  clock.advance(seconds(4));
  EXPECT_EQ(requests(meter.window(seconds(5))), 1U);
  clock.advance(seconds(1));
  EXPECT_TRUE(meter.window(seconds(5)).empty());
  EXPECT_EQ(requests(meter.totals()), 2U);
}

TEST(TrafficMeter, KeepsEndsApart) {
  FakeClock clock;
  TrafficMeter meter(clock);
  meter.count(flow("s"), {.bytes = 100});
  meter.count(flow("s"), {.retried = true, .bytes = 100});
  meter.count(flow("s"), {.failed = true, .retried = true});
  clock.advance(seconds(1));
  const auto rows = meter.window(seconds(1));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0], (Seen{.service = "s",
                           .from_zone = "a",
                           .from_node = "node-1",
                           .to_zone = "b",
                           .to_node = "node-2",
                           .pod = "p",
                           .requests = 2,
                           .retried = 2,
                           .failed = 1,
                           .bytes = 200}));
}

TEST(TrafficMeter, TotalsForgetNodesAndPods) {
  FakeClock clock;
  TrafficMeter meter(clock);
  for (int pod = 0; pod < 100; ++pod) meter.count(flow("s", "p" + std::to_string(pod)), {});
  const auto totals = meter.totals();
  ASSERT_EQ(totals.size(), 1U);
  EXPECT_EQ(totals[0].requests, 100U);
  EXPECT_EQ(totals[0].pod + totals[0].to_node + totals[0].from_node, "");
}

TEST(TrafficMeter, TellsLatenciesByService) {
  FakeClock clock;
  TrafficMeter meter(clock);
  for (int i = 1; i <= 1000; ++i) meter.count(flow("s"), {.latency = microseconds(i * 10)});
  meter.count(flow("slow"), {.latency = seconds(3)});
  meter.count(flow("dead"), {.failed = true, .latency = seconds(5)});
  clock.advance(seconds(1));
  const Latency latency = meter.latency(seconds(1), "s");
  EXPECT_EQ(latency.requests, 1000U);
  EXPECT_NEAR(static_cast<double>(latency.p50.count()), 5000, 5000 * 0.13);
  EXPECT_NEAR(static_cast<double>(latency.p99.count()), 9900, 9900 * 0.13);
  EXPECT_GE(meter.latency(seconds(1), "slow").p50, seconds(3));
  EXPECT_EQ(meter.latency(seconds(1), "dead").requests, 0U);
  EXPECT_EQ(meter.latency(seconds(1), "").requests, 1001U);
}

// A list of everything that ever happened, asked the slow way.
class Model {
 public:
  void count(std::int64_t second, const Flow& flow, const Outcome& outcome) {
    all_.push_back({second, flow, outcome});
  }
  std::vector<Seen> window(std::int64_t now, std::int64_t last) const {
    std::map<Flow, Seen> sums;
    for (const Entry& entry : all_) {
      if (entry.second >= now || entry.second < now - std::min<std::int64_t>(last, 900)) continue;
      Seen& seen = sums[entry.flow];
      seen.requests += entry.outcome.failed ? 0 : 1;
      seen.failed += entry.outcome.failed ? 1 : 0;
      seen.retried += entry.outcome.retried ? 1 : 0;
      seen.bytes += entry.outcome.bytes;
    }
    std::vector<Seen> rows;
    for (auto& [key, seen] : sums) {
      seen.service = key.service;
      seen.from_zone = key.from_zone;
      seen.from_node = key.from_node;
      seen.to_zone = key.to_zone;
      seen.to_node = key.to_node;
      seen.pod = key.pod;
      rows.push_back(seen);
    }
    return rows;
  }

 private:
  struct Entry {
    std::int64_t second;
    Flow flow;
    Outcome outcome;
  };
  std::vector<Entry> all_;
};

TEST(TrafficMeter, AgreesWithAListOfEverything) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SplitMix random(seed);
    FakeClock clock;
    TrafficMeter meter(clock);
    Model model;
    const auto now = [&] {
      return std::chrono::floor<seconds>(clock.steady_now().time_since_epoch()).count();
    };
    for (int step = 0; step < 300; ++step) {
      for (std::uint64_t i = random.below(6); i > 0; --i) {
        const Flow which = flow("s" + std::to_string(random.below(3)),
                                "p" + std::to_string(random.below(4) + now() / 400));
        const Outcome outcome{.failed = random.below(10) == 0,
                              .retried = random.below(5) == 0,
                              .bytes = random.below(1000)};
        meter.count(which, outcome);
        model.count(now(), which, outcome);
      }
      const std::uint64_t pause = random.below(20);
      clock.advance(pause == 0 ? seconds(random.below(1200)) : milliseconds(random.below(4000)));
      const auto last = static_cast<std::int64_t>(random.below(1000));
      ASSERT_EQ(meter.window(seconds(last)), model.window(now(), last)) << "seed " << seed;
    }
  }
}

// Every second two Pods are new and are never seen again after a minute.
TEST(TrafficMeter, StaysSmallWhilePodsComeAndGo) {
  FakeClock clock;
  TrafficMeter meter(clock);
  SplitMix random(3);
  const auto live_for = [&](int seconds_to_live, int first) {
    for (int second = 0; second < seconds_to_live; ++second) {
      for (int i = 0; i < 60; ++i) {
        const std::uint64_t pod = 2U * static_cast<unsigned>(first + second) + random.below(120);
        meter.count(flow("shop/service-" + std::to_string(random.below(3)),
                         "shop/service-with-a-long-name-" + std::to_string(pod)),
                    {.bytes = 2000, .latency = microseconds(random.below(5000))});
      }
      clock.advance(seconds(1));
    }
    return mallinfo2().uordblks;
  };
  const std::size_t full = live_for(1000, 0);
  const std::size_t later = live_for(3000, 1000);
  EXPECT_LT(later, full + full / 10 + (1U << 20U));
  EXPECT_LT(later, 32U << 20U);
  EXPECT_EQ(requests(meter.totals()), 60U * 4000U);
}

TEST(TrafficMeter, LosesNothingWhenManyCountAndLook) {
  const SystemClock clock;
  TrafficMeter meter(clock);
  constexpr std::uint64_t kEach = 20'000;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&meter, i] {
      for (std::uint64_t n = 0; n < kEach; ++n)
        meter.count(flow("s" + std::to_string(n % 3), "p" + std::to_string(i)), {.bytes = 1});
    });
  }
  std::uint64_t last = 0;
  while (last < 4 * kEach) {
    const std::uint64_t all = requests(meter.totals());
    ASSERT_GE(all, last);
    last = all;
    (void)meter.window(seconds(5));
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(requests(meter.totals()), 4 * kEach);
}

}  // namespace
}  // namespace proxima::traffic
