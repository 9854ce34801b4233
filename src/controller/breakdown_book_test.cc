// SPDX-License-Identifier: Apache-2.0
#include "controller/breakdown_book.h"

#include <gtest/gtest.h>

namespace proxima::controller {
namespace {

using std::chrono::seconds;

TEST(BreakdownBook, TellsANewFailureOnce) {
  BreakdownBook book;
  const Clock::SteadyTime now{};
  EXPECT_TRUE(book.note("shop/web", "a", now).is_news);
  EXPECT_FALSE(book.note("shop/web", "a", now).is_news);
  EXPECT_TRUE(book.note("shop/web", "b", now).is_news) << "another one";
  EXPECT_TRUE(book.note("shop/db", "b", now).is_news) << "of another Service";
  book.forget("shop/web");
  EXPECT_TRUE(book.note("shop/web", "b", now).is_news) << "it worked in the meantime";
}

TEST(BreakdownBook, LetsChangesWaitEverLongerUpToABound) {
  BreakdownBook book;
  const Clock::SteadyTime now{};
  EXPECT_EQ(book.wait_for("shop/web", now), kube::Duration::zero());
  for (const int wait : {1, 2, 4, 8, 16, 30, 30}) {
    book.note("shop/web", "a", now);
    EXPECT_EQ(book.wait_for("shop/web", now), seconds(wait));
    EXPECT_EQ(book.wait_for("shop/web", now + seconds(wait)), kube::Duration::zero());
  }
  EXPECT_EQ(book.note("shop/web", "a", now).again_after, seconds(128))
      << "what does not change is tried less often";
  book.forget("shop/web");
  EXPECT_EQ(book.wait_for("shop/web", now), kube::Duration::zero());
}

}  // namespace
}  // namespace proxima::controller
