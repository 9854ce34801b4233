// SPDX-License-Identifier: Apache-2.0
// When the state is worked out, and when not, by a clock that only the test moves.
#include "web/live_loop.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "support/patience.h"
#include "support/web_world.h"

namespace proxima::web {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

// Whoever waits looks again every few milliseconds, and sees the time that the test has set.
class HeldClock final : public Clock {
 public:
  SteadyTime steady_now() const override { return SteadyTime(nanoseconds(elapsed_.load())); }
  WallTime wall_now() const override {
    return WallTime(seconds(1'772'323'200)) + nanoseconds(elapsed_.load());
  }
  void wait_until(std::unique_lock<std::mutex>& lock, ConditionVariable& wake,
                  SteadyTime) override {
    ++looks;
    wake.threads().wait_for(lock, milliseconds(2));
  }
  void advance(nanoseconds duration) { elapsed_ += duration.count(); }
  std::atomic<int> looks = 0;

 private:
  std::atomic<std::int64_t> elapsed_{nanoseconds(std::chrono::hours(1)).count()};
};

class LiveLoopTest : public ::testing::Test {
 protected:
  void start(const TrafficSource* traffic, nanoseconds a_round_takes = {}) {
    const auto* const source = dynamic_cast<const LiveSource*>(traffic);
    loop_ = std::make_unique<LiveLoop>(
        LiveLoopOptions{.version = "0.6.0", .read_only = true, .plan = {}, .money = {}},
        LiveLoopPorts{.caches = caches_,
                      .events = events_,
                      .clock = clock_,
                      .live = source,
                      .traffic = traffic,
                      .on_news =
                          [this, a_round_takes] {
                            clock_.advance(a_round_takes);
                            ++rounds_;
                          },
                      .broke_down =
                          [this](const std::string& what) {
                            const std::lock_guard guard(told_mutex_);
                            told_.push_back(what);
                          }});
    loop_->start();
    EXPECT_TRUE(reaches(1));
    let_it_look();
  }
  ~LiveLoopTest() override {
    if (loop_) loop_->stop();
  }

  // Whether so many rounds are done within a moment of real time.
  bool reaches(int rounds) {
    return testing::eventually([&] { return rounds_ >= rounds; });
  }
  // The loop has looked at the clock several times and found nothing to do.
  void let_it_look() {
    const int before = clock_.looks;
    EXPECT_TRUE(testing::eventually([&] { return clock_.looks >= before + 5; }));
  }

  controller::ClusterCaches caches_;
  testing::LabShape shape_{caches_};
  testing::QuietApi api_;
  HeldClock clock_;
  SystemClock real_clock_;
  telemetry::Log log_{{}, real_clock_, [](std::string_view) {}};
  EventLog events_{EventScope::Everything, {api_, real_clock_, log_}};
  std::atomic<int> rounds_ = 0;
  std::mutex told_mutex_;
  std::vector<std::string> told_;
  std::unique_ptr<LiveLoop> loop_;
};

TEST_F(LiveLoopTest, InAClusterOnlyTheHistoryIsKeptWhileNobodyLooks) {
  start(nullptr);
  shape_.annotate("even", "proxima.io/policy=balanced");
  clock_.advance(LiveLoop::kClusterStep - seconds(1));
  let_it_look();
  EXPECT_EQ(rounds_, 1);
  clock_.advance(seconds(1));
  EXPECT_TRUE(reaches(2));
  let_it_look();
  EXPECT_EQ(rounds_, 2);
  EXPECT_NE(loop_->history().find("\"step\":15,\"times\":[1772326800,1772326815]"),
            std::string::npos)
      << loop_->history().substr(0, 100);
  shape_.annotate("even", "proxima.io/policy=auto");
  clock_.advance(seconds(1));
  loop_->begin_watching();
  EXPECT_TRUE(reaches(3));
  EXPECT_EQ(loop_->current().revision, 3U) << "what changed meanwhile is seen at once";
  loop_->end_watching();
  let_it_look();
  clock_.advance(LiveLoop::kClusterStep - seconds(1));
  let_it_look();
  EXPECT_EQ(rounds_, 3);
}

TEST_F(LiveLoopTest, WhatDoesNotChangeIsNoNews) {
  start(nullptr);
  loop_->begin_watching();
  for (int round = 2; round < 5; ++round) {
    clock_.advance(seconds(1));
    EXPECT_TRUE(reaches(round));
    let_it_look();
  }
  EXPECT_EQ(loop_->current().revision, 1U);
  loop_->end_watching();
}

TEST_F(LiveLoopTest, ARoundThatTookLongIsFollowedByALongRest) {
  start(nullptr, seconds(1));
  loop_->begin_watching();
  clock_.advance(seconds(LiveLoop::kRestFactor - 3));
  let_it_look();
  EXPECT_EQ(rounds_, 1);
  clock_.advance(seconds(3));
  EXPECT_TRUE(reaches(2));
  loop_->end_watching();
}

TEST_F(LiveLoopTest, WhoAsksWithoutWatchingGetsAStateThatIsNotOutOfDate) {
  start(nullptr);
  shape_.annotate("even", "proxima.io/policy=balanced");
  EXPECT_TRUE(loop_->has_answered(loop_->ask())) << "a second is no age";
  clock_.advance(seconds(60));
  const std::uint64_t ticket = loop_->ask();
  EXPECT_EQ(ticket, 2U);
  EXPECT_TRUE(reaches(2));
  EXPECT_TRUE(loop_->has_answered(ticket));
  let_it_look();
  clock_.advance(seconds(60));
  EXPECT_EQ(loop_->fresh().revision, 2U);
  EXPECT_TRUE(reaches(3));
}

TEST_F(LiveLoopTest, InALabEverySecondIsKept) {
  testing::PlannedSource source(caches_);
  start(&source);
  for (int round = 2; round < 5; ++round) {
    clock_.advance(seconds(1));
    EXPECT_TRUE(reaches(round));
    let_it_look();
  }
  EXPECT_NE(loop_->history().find("\"times\":[1772326800,1772326801,1772326802,1772326803]"),
            std::string::npos)
      << loop_->history().substr(0, 100);
  loop_->stop();
}

// Clients follow the plan exactly, also in what a source says of the seconds before; so any
// overload that the plan does not have would come from requests counted over a change.
TEST_F(LiveLoopTest, AnOverloadIsMeasuredAnewAfterAChangeOfThePlan) {
  testing::PlannedSource source(caches_);
  start(&source);
  const auto is_measuring = [this] {
    return loop_->current().document->find("\"worstOverload\":null") != std::string::npos;
  };
  EXPECT_TRUE(is_measuring());
  int round = 1;
  const auto let_pass = [&](int count) {
    for (int i = 0; i < count; ++i) {
      clock_.advance(seconds(1));
      EXPECT_TRUE(reaches(++round));
      let_it_look();
    }
  };
  let_pass(20);
  EXPECT_FALSE(is_measuring());
  shape_.annotate("lopsided", "proxima.io/policy=balanced");
  let_pass(1);
  EXPECT_TRUE(is_measuring());
  let_pass(20);
  EXPECT_FALSE(is_measuring());
  loop_->stop();
}

// Of a cluster, and cannot be asked while it is broken.
class BreakableSource final : public TrafficSource {
 public:
  TrafficSpans spans() const override {
    PROXIMA_CHECK(!broken);
    return {.flows = seconds(60), .settle = seconds(1)};
  }
  SeenWindow window(seconds) const override { return {}; }
  TrafficTotals totals() const override { return {}; }
  std::atomic<bool> broken = false;
};

TEST_F(LiveLoopTest, AnInternalErrorCostsARoundAndTheLastStateStays) {
  BreakableSource source;
  start(&source);
  loop_->begin_watching();
  const std::string before = *loop_->current().document;
  shape_.annotate("even", "proxima.io/policy=balanced");
  source.broken = true;
  for (int round = 2; round < 5; ++round) {
    clock_.advance(seconds(1));
    ASSERT_TRUE(reaches(round));
    let_it_look();
  }
  EXPECT_EQ(*loop_->current().document, before);
  EXPECT_TRUE(loop_->has_answered(loop_->ask())) << "nobody waits for ever";
  {
    const std::lock_guard guard(told_mutex_);
    ASSERT_EQ(told_.size(), 1U) << "once for the same error";
    EXPECT_TRUE(told_[0].starts_with("broken invariant: !broken (")) << told_[0];
  }
  source.broken = false;
  clock_.advance(seconds(1));
  ASSERT_TRUE(reaches(5));
  EXPECT_EQ(loop_->current().revision, 2U);
  loop_->end_watching();
  loop_->stop();
}

TEST_F(LiveLoopTest, AnEmptyClusterHasAStateThatSaysWhatItWaitsFor) {
  controller::ClusterCaches empty;
  LiveLoop loop(
      LiveLoopOptions{.version = "0.6.0", .read_only = true, .plan = {}, .money = {}},
      LiveLoopPorts{
          .caches = empty, .events = events_, .clock = clock_, .live = nullptr, .on_news = [this] {
            ++rounds_;
          }});
  loop.start();
  EXPECT_TRUE(reaches(1));
  EXPECT_NE(loop.current().document->find(
                "\"waitingFor\":\"pods, services, nodes, namespaces, endpointslices\""),
            std::string::npos);
}

}  // namespace
}  // namespace proxima::web
