// SPDX-License-Identifier: Apache-2.0
#include "kube/event_correlator.h"

#include <gtest/gtest.h>

#include "base/split_mix.h"

namespace proxima::kube {
namespace {

using std::chrono::seconds;

struct CorrelatorWorld {
  Event event(std::string message, std::string reason = "Failed") const {
    Event one;
    one.name = event_name("web", now.wall).value();
    one.ns = "shop";
    one.about = {"v1", "Service", "shop", "web", "u1", "7", ""};
    one.reason = std::move(reason);
    one.message = std::move(message);
    one.source = {"proxima", "node-1"};
    one.first = one.last = now.wall;
    return one;
  }
  // "+1 text": a new event with count 1; "~3 text": a repetition; "x": spam.
  std::string see(const Event& seen) {
    const auto result = correlator.correlate(seen, now);
    if (!result) return "x";
    correlator.written(result->event);
    return (result->repeats ? "~" : "+") + std::to_string(result->event.count) + " " +
           result->event.message;
  }
  void pass(seconds time) {
    now.steady += time;
    now.wall += time;
  }

  Moment now{Clock::SteadyTime(seconds(5000)), WallTime(seconds(1'772'323'200))};
  EventCorrelator correlator;
};

TEST(EventCorrelator, CountsTheSameEventUp) {
  CorrelatorWorld world;
  const Event first = world.event("m");
  EXPECT_EQ(world.see(first), "+1 m");
  world.pass(seconds(5));
  const auto again = world.correlator.correlate(world.event("m"), world.now);
  ASSERT_TRUE(again && again->repeats);
  EXPECT_EQ(again->event.name, first.name);    // the one that is there
  EXPECT_EQ(again->event.first, first.first);  // since when
  EXPECT_EQ(again->event.last, world.now.wall);
  EXPECT_EQ(render_repetition(again->event),
            R"({"count":2,"lastTimestamp":"2026-03-01T00:00:05Z","message":"m"})");
}

TEST(EventCorrelator, CombinesTheTenthSimilarEvent) {
  CorrelatorWorld world;
  for (int i = 1; i < 10; ++i) {
    const std::string text = "m" + std::to_string(i);
    EXPECT_EQ(world.see(world.event(text)), "+1 " + text);
  }
  EXPECT_EQ(world.see(world.event("m10")), "+1 (combined from similar events): m10");
  EXPECT_EQ(world.see(world.event("m11")), "~2 (combined from similar events): m11");
  EXPECT_EQ(world.see(world.event("m12")), "~3 (combined from similar events): m12");
  EXPECT_EQ(world.see(world.event("m13", "Other")), "+1 m13");  // another reason
}

TEST(EventCorrelator, SimilarEventsThatAreFarApartStayApart) {
  CorrelatorWorld world;
  for (int i = 1; i < 10; ++i) (void)world.see(world.event("m" + std::to_string(i)));
  world.pass(seconds(601));
  EXPECT_EQ(world.see(world.event("m10")), "+1 m10");
}

TEST(EventCorrelator, TheIntervalRollsWithTheLastEvent) {
  CorrelatorWorld world;
  for (int i = 1; i < 10; ++i) {
    (void)world.see(world.event("m" + std::to_string(i)));
    world.pass(seconds(600));
  }
  EXPECT_EQ(world.see(world.event("m10")), "+1 (combined from similar events): m10");
}

TEST(EventCorrelator, CutsASourceAfterTwentyFiveAndLetsOneThroughEveryFiveMinutes) {
  CorrelatorWorld world;
  for (int i = 1; i <= 25; ++i) EXPECT_NE(world.see(world.event("m")), "x") << i;
  EXPECT_EQ(world.see(world.event("m")), "x");
  EXPECT_EQ(world.see(world.event("m", "Other")), "x");  // whatever the reason
  world.pass(seconds(299));
  EXPECT_EQ(world.see(world.event("m")), "x");
  world.pass(seconds(2));
  EXPECT_EQ(world.see(world.event("m")), "~28 m");  // what was cut has been counted
  EXPECT_EQ(world.see(world.event("m")), "x");
  Event warning = world.event("m");
  warning.type = EventType::Warning;
  EXPECT_EQ(world.see(warning), "+1 m");  // of another type: another account
}

TEST(EventCorrelator, ForgetsWhatWasNotSeenForLong) {
  CorrelatorWorld world;
  world.correlator = EventCorrelator({.remembered = 2, .spam_burst = 100});
  EXPECT_EQ(world.see(world.event("a", "A")), "+1 a");
  EXPECT_EQ(world.see(world.event("b", "B")), "+1 b");
  EXPECT_EQ(world.see(world.event("a", "A")), "~2 a");
  EXPECT_EQ(world.see(world.event("c", "C")), "+1 c");  // b goes, a was used later
  EXPECT_EQ(world.see(world.event("a", "A")), "~3 a");
  EXPECT_EQ(world.see(world.event("b", "B")), "+1 b");
}

TEST(EventCorrelator, NeverWritesMoreThanItsLimitsAllow) {
  CorrelatorWorld world;
  SplitMix random(7);
  int written = 0;
  for (int i = 0; i < 10'000; ++i) {
    const auto result = world.correlator.correlate(
        world.event("m" + std::to_string(random.below(1000))), world.now);
    if (result) ++written;
    if (i % 10 == 0) world.pass(seconds(1));
  }
  EXPECT_EQ(written, 25 + 1000 / 300);
}

TEST(Event, IsNamedAfterItsObjectAndTheTime) {
  const WallTime time(std::chrono::nanoseconds(0x17123456789abcde));
  EXPECT_EQ(event_name("web", time), "web.17123456789abcde");
  EXPECT_EQ(event_name("a.b-c.d", time), "a.b-c.d.17123456789abcde");
  for (const char* bad : {"", "Web", "a_b", "-a", "a-", "a..b", ".a", "a.-b", "a:b"})
    EXPECT_EQ(event_name(bad, time), std::nullopt) << bad;
  EXPECT_EQ(event_name(std::string(240, 'a'), time), std::nullopt);
}

TEST(Event, TakesACountFromAnAnswerOnlyWithinBounds) {
  const struct {
    const char* count;
    std::int32_t taken;
  } rows[] = {{"7", 7},
              {"1000000000", 1'000'000'000},
              {"1000000001", 3},
              {"4294967297", 3},
              {"-5", 3},
              {"0", 3},
              {"1e9", 3},
              {"\"7\"", 3},
              {"18446744073709551615", 3}};
  for (const auto& row : rows) {
    Event event;
    event.count = 3;
    event = with_answer(std::move(event), std::string(R"({"count":)") + row.count + "}");
    EXPECT_EQ(event.count, row.taken) << row.count;
  }
}

TEST(Event, IsWrittenAsCoreV1HasIt) {
  CorrelatorWorld world;
  Event event = world.event("it failed");
  event.reporting_controller = "proxima";
  event.reporting_instance = "node-1";
  EXPECT_EQ(
      render(event),
      R"({"kind":"Event","apiVersion":"v1","metadata":{"name":")" + event.name +
          R"(","namespace":"shop"},"involvedObject":{"kind":"Service","namespace":"shop",)"
          R"("name":"web","uid":"u1","apiVersion":"v1","resourceVersion":"7"},"reason":"Failed",)"
          R"("message":"it failed","source":{"component":"proxima","host":"node-1"},)"
          R"("firstTimestamp":"2026-03-01T00:00:00Z","lastTimestamp":"2026-03-01T00:00:00Z",)"
          R"("count":1,"type":"Normal","eventTime":null,"reportingComponent":"proxima",)"
          R"("reportingInstance":"node-1"})");
}

}  // namespace
}  // namespace proxima::kube
