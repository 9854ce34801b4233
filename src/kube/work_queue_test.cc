// SPDX-License-Identifier: Apache-2.0
#include "kube/work_queue.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "support/fake_clock.h"

namespace proxima::kube {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class WorkQueueTest : public ::testing::Test {
 protected:
  // Everything that can be taken now, each said done() at once: "a b".
  std::string take_all() {
    std::string taken;
    while (const auto key = take_now()) {
      taken += (taken.empty() ? "" : " ") + *key;
      queue_.done(*key);
    }
    return taken;
  }
  std::optional<std::string> take_now() {
    return queue_.size() == 0 ? std::nullopt : queue_.take();
  }

  testing::FakeClock clock_;
  WorkQueue<std::string> queue_{clock_};
};

TEST_F(WorkQueueTest, HandsOutAKeyOnceHoweverOftenItWasAdded) {
  for (const char* key : {"a", "b", "a", "a", "b"}) queue_.add(key);
  EXPECT_EQ(take_all(), "a b");
}

TEST_F(WorkQueueTest, KeepsAKeyBackWhileItIsWorkedOnAndHandsItOutOnceMoreAfterwards) {
  queue_.add("a");
  ASSERT_EQ(queue_.take(), "a");
  queue_.add("a");
  queue_.add("a");
  EXPECT_EQ(queue_.size(), 0U);
  queue_.done("a");
  EXPECT_EQ(take_all(), "a");
}

TEST_F(WorkQueueTest, KeepsTheEarlierOfTwoDueTimes) {
  queue_.add_after("a", seconds(2));
  queue_.add_after("a", seconds(5));
  queue_.add_after("b", seconds(5));
  queue_.add_after("b", seconds(2));
  EXPECT_EQ(queue_.waiting(), 2U);
  clock_.advance(milliseconds(1999));
  EXPECT_EQ(take_all(), "");
  clock_.advance(milliseconds(1));
  EXPECT_EQ(take_all(), "a b");
  clock_.advance(seconds(10));
  EXPECT_EQ(take_all(), "");
}

TEST_F(WorkQueueTest, SyncsNowAndAgainAtTheEndOfTheWindowAfterAnImmediateAdd) {
  queue_.add_after("a", seconds(1));
  queue_.add("a");
  EXPECT_EQ(take_all(), "a");
  clock_.advance(seconds(1));
  EXPECT_EQ(take_all(), "a");
}

TEST_F(WorkQueueTest, TakesNoDelayOrLessAsNow) {
  queue_.add_after("a", seconds(0));
  queue_.add_after("b", seconds(-3));
  EXPECT_EQ(take_all(), "a b");
}

TEST_F(WorkQueueTest, PutsWhatWasDueEarlierBeforeWhatIsAddedLater) {
  queue_.add_after("a", seconds(1));
  clock_.advance(seconds(2));
  queue_.add("b");
  EXPECT_EQ(take_all(), "a b");
}

TEST_F(WorkQueueTest, DoublesTheDelayOfAKeyUntilItIsForgotten) {
  for (const auto delay : {milliseconds(5), milliseconds(10), milliseconds(20)}) {
    queue_.add_rate_limited("a");
    clock_.advance(delay - milliseconds(1));
    EXPECT_EQ(take_all(), "");
    clock_.advance(milliseconds(1));
    EXPECT_EQ(take_all(), "a");
  }
  EXPECT_EQ(queue_.num_requeues("a"), 3U);
  queue_.forget("a");
  EXPECT_EQ(queue_.num_requeues("a"), 0U);
  queue_.add_rate_limited("a");
  clock_.advance(milliseconds(5));
  EXPECT_EQ(take_all(), "a");
}

TEST_F(WorkQueueTest, SlowsAllRetriesTogetherAfterABurst) {
  for (int i = 0; i < 101; ++i) queue_.add_rate_limited(std::to_string(i));
  clock_.advance(milliseconds(5));
  take_all();
  EXPECT_EQ(queue_.waiting(), 1U);
  clock_.advance(milliseconds(95));
  EXPECT_EQ(take_all(), "100");
}

TEST_F(WorkQueueTest, HandsOutWhatIsLeftAfterShutDownAndTakesNoMore) {
  queue_.add("a");
  queue_.add_after("later", seconds(1));
  queue_.shut_down();
  queue_.add("b");
  queue_.add_after("c", seconds(1));
  queue_.add_rate_limited("d");
  EXPECT_EQ(queue_.take(), "a");
  EXPECT_EQ(queue_.take(), std::nullopt);
  EXPECT_EQ(queue_.waiting(), 0U);
}

TEST_F(WorkQueueTest, DrainGivesUpWhenItsTimeIsOver) {
  queue_.add("a");
  ASSERT_EQ(queue_.take(), "a");
  EXPECT_FALSE(queue_.drain(clock_.steady_now() + seconds(1)));
}

TEST(WorkQueue, DrainWaitsForWhatIsWorkedOn) {
  SystemClock clock;
  WorkQueue<int> queue(clock);
  queue.add(1);
  ASSERT_EQ(queue.take(), 1);
  std::thread worker([&] { queue.done(1); });
  EXPECT_TRUE(queue.drain(clock.steady_now() + seconds(30)));
  worker.join();
}

TEST(WorkQueue, WakesAWorkerThatWaitsWhenADelayIsOver) {
  SystemClock clock;
  WorkQueue<int> queue(clock);
  std::thread worker([&] {
    EXPECT_EQ(queue.take(), 7);
    queue.done(7);
    EXPECT_EQ(queue.take(), 8);
    queue.done(8);
  });
  queue.add_after(8, milliseconds(20));
  queue.add_after(7, milliseconds(1));
  worker.join();
}

// Whoever adds raises a count first; a worker takes whatever is counted, and sometimes fails and
// puts it back. In the end nothing may be left, and no key may ever have been with two workers.
TEST(WorkQueue, LosesNothingAndNeverSharesAKeyAmongManyWorkers) {
  constexpr int kKeys = 16, kAdders = 4, kWorkers = 8, kAdds = 3000;
  SystemClock clock;
  WorkQueue<int> queue(clock, {.retry = {std::chrono::microseconds(1), milliseconds(1)},
                               .retries_per_second = 1e9,
                               .retry_burst = 1e9});
  std::array<std::atomic<int>, kKeys> wanted{};
  std::array<std::atomic<int>, kKeys> inside{};
  std::atomic<int> handled = 0;
  auto work = [&](int seed) {
    SplitMix random(static_cast<std::uint64_t>(seed));
    while (const auto key = queue.take()) {
      EXPECT_EQ(inside[*key].fetch_add(1), 0);
      const int taken = wanted[*key].exchange(0);
      if (random.below(5) == 0) {
        wanted[*key] += taken;
        queue.add_rate_limited(*key);
      } else {
        handled += taken;
        queue.forget(*key);
      }
      inside[*key].fetch_sub(1);
      queue.done(*key);
    }
  };
  auto add = [&](int seed) {
    SplitMix random(static_cast<std::uint64_t>(seed));
    for (int i = 0; i < kAdds; ++i) {
      const int key = static_cast<int>(random.below(kKeys));
      wanted[key].fetch_add(1);
      queue.add_after(key, std::chrono::microseconds(random.below(3) * 100));
    }
  };
  std::vector<std::thread> workers, adders;
  for (int i = 0; i < kWorkers; ++i) workers.emplace_back(work, kAdders + i);
  for (int i = 0; i < kAdders; ++i) adders.emplace_back(add, i);
  for (auto& thread : adders) thread.join();
  const auto limit = clock.steady_now() + seconds(30);
  while (handled != kAdders * kAdds && clock.steady_now() < limit) std::this_thread::yield();
  EXPECT_EQ(handled, kAdders * kAdds);
  EXPECT_TRUE(queue.drain(clock.steady_now() + seconds(30)));
  for (auto& thread : workers) thread.join();
}

TEST_F(WorkQueueTest, DropsWhatNobodyHasTakenWhenItIsAbandoned) {
  for (const char* key : {"a", "b", "c"}) queue_.add(key);
  ASSERT_EQ(queue_.take(), "a");
  queue_.add("a");
  queue_.abandon();
  queue_.done("a");
  EXPECT_EQ(queue_.take(), std::nullopt);
  EXPECT_TRUE(queue_.drain(clock_.steady_now()));
}

struct Counts final : WorkQueueObserver {
  void added() override { text += "added "; }
  void delayed() override { text += "delayed "; }
  void taken(Duration waited) override { text += "waited" + seconds_text(waited); }
  void finished(Duration worked) override { text += "worked" + seconds_text(worked); }
  static std::string seconds_text(Duration duration) {
    return std::to_string(std::chrono::duration_cast<seconds>(duration).count()) + " ";
  }
  std::string text;
};

TEST(WorkQueueObservation, TellsWhatHappensToAKeyAndHowLongItTakes) {
  testing::FakeClock clock;
  Counts counts;
  WorkQueue<std::string> queue(clock, {}, &counts);
  queue.add("a");
  queue.add("a");
  clock.advance(seconds(2));
  ASSERT_EQ(queue.take(), "a");
  queue.add("a");
  EXPECT_EQ(queue.depth(), 1U) << "wants work again";
  EXPECT_EQ(queue.size(), 0U) << "but not yet";
  clock.advance(seconds(3));
  EXPECT_EQ(queue.unfinished().total, seconds(3));
  EXPECT_EQ(queue.unfinished().longest, seconds(3));
  queue.add_rate_limited("a");
  queue.done("a");
  EXPECT_EQ(counts.text, "added waited2 added delayed worked3 ");
  EXPECT_EQ(queue.unfinished().total, seconds(0));
}

}  // namespace
}  // namespace proxima::kube
