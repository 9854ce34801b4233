// SPDX-License-Identifier: Apache-2.0
#include "agents/write_book.h"

#include <gtest/gtest.h>

namespace proxima::agents {
namespace {

using std::chrono::milliseconds;
const Clock::SteadyTime kFirstWrite(std::chrono::seconds(100));

TEST(WriteBook, WaitsUntilTheCacheShowsAWrite) {
  WriteBook book;
  EXPECT_TRUE(book.may_write("pod", 7, kFirstWrite));
  book.wrote("pod", 7, kFirstWrite);
  EXPECT_FALSE(book.may_write("pod", 7, kFirstWrite)) << "the same old object";
  EXPECT_TRUE(book.may_write("pod", 8, kFirstWrite));
  EXPECT_TRUE(book.may_write("other", 7, kFirstWrite));
  EXPECT_TRUE(book.may_write("pod", 7, kFirstWrite + WriteBook::kForgottenAfter))
      << "it changed nothing after all";
}

TEST(WriteBook, DoesNotHurryAfterARefusal) {
  WriteBook book;
  book.failed("pod", kFirstWrite);
  EXPECT_FALSE(book.may_write("pod", 7, kFirstWrite + milliseconds(499)));
  EXPECT_EQ(book.next_try(kFirstWrite), kFirstWrite + WriteBook::kRetryAfter);
  EXPECT_TRUE(book.may_write("pod", 7, kFirstWrite + milliseconds(500)));
  EXPECT_EQ(book.next_try(kFirstWrite + milliseconds(500)), Clock::SteadyTime::max())
      << "it is time now";
}

TEST(WriteBook, WaitsLongerAfterEveryRefusal) {
  WriteBook book;
  Clock::SteadyTime now = kFirstWrite;
  std::string waits;
  for (int i = 0; i < 8; ++i) {
    book.prune(now);
    book.failed("pod", now);
    const auto wait = std::chrono::duration_cast<milliseconds>(book.next_try(now) - now);
    waits += std::to_string(wait.count()) + " ";
    now += wait;
  }
  EXPECT_EQ(waits, "500 1000 2000 4000 8000 16000 32000 32000 ");
  book.wrote("pod", 1, now);
  book.failed("pod", now);
  EXPECT_EQ(book.next_try(now), now + WriteBook::kRetryAfter) << "it worked in between";
}

TEST(WriteBook, ForgetsWhatIsOver) {
  WriteBook book;
  EXPECT_EQ(book.next_try(kFirstWrite), Clock::SteadyTime::max());
  book.wrote("a", 1, kFirstWrite);
  book.forget("a");
  EXPECT_TRUE(book.may_write("a", 1, kFirstWrite));
  book.failed("b", kFirstWrite);
  const auto later = kFirstWrite + std::chrono::seconds(11);
  book.prune(later);
  book.failed("b", later);
  EXPECT_EQ(book.next_try(later), later + WriteBook::kRetryAfter) << "the first failure again";
}

}  // namespace
}  // namespace proxima::agents
