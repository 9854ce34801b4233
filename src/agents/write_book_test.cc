// SPDX-License-Identifier: Apache-2.0
#include "agents/write_book.h"

#include <gtest/gtest.h>

namespace proxima::agents {
namespace {

using std::chrono::milliseconds;
const Clock::SteadyTime kNow(std::chrono::seconds(100));

TEST(WriteBook, WaitsUntilTheCacheShowsAWrite) {
  WriteBook book;
  EXPECT_TRUE(book.may_write("pod", 7, kNow));
  book.wrote("pod", 7, kNow);
  EXPECT_FALSE(book.may_write("pod", 7, kNow)) << "the same old object";
  EXPECT_TRUE(book.may_write("pod", 8, kNow));
  EXPECT_TRUE(book.may_write("other", 7, kNow));
  EXPECT_TRUE(book.may_write("pod", 7, kNow + WriteBook::kForgottenAfter))
      << "it changed nothing after all";
}

TEST(WriteBook, DoesNotHurryAfterARefusal) {
  WriteBook book;
  book.failed("pod", kNow);
  EXPECT_FALSE(book.may_write("pod", 7, kNow + milliseconds(499)));
  EXPECT_EQ(book.next_try(), kNow + WriteBook::kRetryAfter);
  EXPECT_TRUE(book.may_write("pod", 7, kNow + milliseconds(500)));
}

TEST(WriteBook, ForgetsWhatIsOver) {
  WriteBook book;
  EXPECT_EQ(book.next_try(), Clock::SteadyTime::max());
  book.wrote("a", 1, kNow);
  book.failed("b", kNow);
  book.prune(kNow + std::chrono::seconds(1));
  EXPECT_EQ(book.next_try(), kNow + WriteBook::kForgottenAfter) << "only the write is left";
  book.prune(kNow + std::chrono::seconds(10));
  EXPECT_EQ(book.next_try(), Clock::SteadyTime::max());
}

}  // namespace
}  // namespace proxima::agents
