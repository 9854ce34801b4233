// SPDX-License-Identifier: Apache-2.0
#include "net/cancellation.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

namespace proxima::net {
namespace {

TEST(Cancellation, RunsWhatIsAttachedOnce) {
  const Cancellation cancellation;
  int calls = 0;
  const Cancellation::Attachment attachment(cancellation, [&] { ++calls; });
  EXPECT_FALSE(cancellation.cancelled());
  const Cancellation same = cancellation;
  same.cancel();
  same.cancel();
  EXPECT_TRUE(cancellation.cancelled());
  EXPECT_EQ(calls, 1);
}

TEST(Cancellation, RunsWhatIsAttachedTooLateAtOnce) {
  const Cancellation cancellation;
  cancellation.cancel();
  int calls = 0;
  const Cancellation::Attachment attachment(cancellation, [&] { ++calls; });
  EXPECT_EQ(calls, 1);
}

TEST(Cancellation, LeavesAloneWhatIsGone) {
  const Cancellation cancellation;
  int calls = 0;
  {
    const Cancellation::Attachment attachment(cancellation, [&] { ++calls; });
  }
  cancellation.cancel();
  EXPECT_EQ(calls, 0);
}

TEST(Cancellation, DetachingWaitsForTheCallThatIsUnderWay) {
  const Cancellation cancellation;
  std::promise<void> entered;
  std::promise<void> leave;
  std::atomic<bool> finished = false;
  auto attachment = std::make_unique<Cancellation::Attachment>(cancellation, [&] {
    entered.set_value();
    leave.get_future().wait();
    finished = true;
  });
  std::thread canceller([&] { cancellation.cancel(); });
  entered.get_future().wait();
  std::thread releaser([&] { leave.set_value(); });
  attachment.reset();
  EXPECT_TRUE(finished);
  canceller.join();
  releaser.join();
}

TEST(Cancellation, ManyThreadsAttachAndDetachWhileOneCancels) {
  const Cancellation cancellation;
  std::atomic<int> calls = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 200; ++j) {
        const Cancellation::Attachment attachment(cancellation, [&] { ++calls; });
      }
    });
  }
  cancellation.cancel();
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(calls, 800);
}

}  // namespace
}  // namespace proxima::net
