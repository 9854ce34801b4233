// SPDX-License-Identifier: Apache-2.0
#include "cli/retried_start.h"

#include <gtest/gtest.h>

#include <future>

#include "support/fake_clock.h"

namespace proxima::cli {
namespace {

class RetriedStartTest : public ::testing::Test {
 protected:
  testing::FakeClock clock_;
  std::string lines_;
  telemetry::Log log_{{}, clock_, [this](std::string_view line) { lines_ += line; }};
};

TEST_F(RetriedStartTest, IsDoneWhenTheFirstTrySucceeds) {
  RetriedStart start(clock_, log_);
  int tries = 0;
  start.begin("metrics", [&]() -> Status {
    ++tries;
    return Unit{};
  });
  start.stop();
  EXPECT_EQ(tries, 1);
  EXPECT_EQ(lines_, "");
}

TEST_F(RetriedStartTest, TriesEveryFiveSecondsUntilItSucceeds) {
  RetriedStart start(clock_, log_);
  int tries = 0;
  std::promise<void> started;
  start.begin("metrics", [&]() -> Status {
    if (++tries < 4) return Error{ErrorCode::Retry, "in use"};
    started.set_value();
    return Unit{};
  });
  started.get_future().wait();
  start.stop();
  EXPECT_EQ(tries, 4);
  EXPECT_EQ(clock_.waits(), std::vector<std::chrono::nanoseconds>(3, RetriedStart::kEvery));
  EXPECT_NE(lines_.find("\"Failed to serve; it is tried again\" err=\"in use\""), std::string::npos)
      << lines_;
}

TEST_F(RetriedStartTest, GivesUpWhenNobodyWantsItAnyMore) {
  SystemClock clock;
  RetriedStart start(clock, log_);
  start.begin("metrics", []() -> Status { return Error{ErrorCode::Retry, "in use"}; });
  start.stop();
  EXPECT_NE(lines_.find("in use"), std::string::npos);
}

}  // namespace
}  // namespace proxima::cli
