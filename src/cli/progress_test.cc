// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

namespace proxima::cli {
namespace {

using namespace std::chrono_literals;

// A console whose error stream is a pseudo-terminal that can be read.
class OnTerminal : public ::testing::Test {
 protected:
  void SetUp() override {
    leader_ = posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_GE(leader_, 0);
    ASSERT_EQ(grantpt(leader_), 0);
    ASSERT_EQ(unlockpt(leader_), 0);
    err_ = std::fopen(ptsname(leader_), "w");
    ASSERT_NE(err_, nullptr);
    ASSERT_EQ(fcntl(leader_, F_SETFL, O_NONBLOCK), 0);
  }
  void TearDown() override {
    if (err_ != nullptr) std::fclose(err_);
    if (leader_ >= 0) close(leader_);
  }
  std::string drawn() const {
    char text[4096];
    const ssize_t size = read(leader_, text, sizeof text);
    return {text, size > 0 ? static_cast<std::size_t>(size) : 0};
  }

  int leader_ = -1;
  std::FILE* err_ = nullptr;
  std::chrono::steady_clock::time_point now_{};
};

TEST_F(OnTerminal, AppearsAfterASecondAndGoesAway) {
  Console console(stdout, err_, process_environment());
  {
    ProgressLine progress(console, "Reading dump.json", [&] { return now_; });
    progress.update(10, 100);
    now_ += 900ms;
    progress.update(20, 100);
    EXPECT_EQ(drawn(), "");
    now_ += 200ms;
    progress.update(30, 100);
    EXPECT_EQ(drawn(), "\r\x1b[KReading dump.json… 30%");
    now_ += 50ms;
    progress.update(40, 100);
    EXPECT_EQ(drawn(), "");
    now_ += 100ms;
    progress.update(50, 0);
    EXPECT_EQ(drawn(), "\r\x1b[KReading dump.json…");
  }
  EXPECT_EQ(drawn(), "\r\x1b[K");
}

TEST(Progress, SaysNothingAwayFromATerminal) {
  std::FILE* err = std::tmpfile();
  ASSERT_NE(err, nullptr);
  Console console(stdout, err, process_environment());
  std::chrono::steady_clock::time_point now{};
  {
    ProgressLine progress(console, "Reading", [&] { return now; });
    now += 5s;
    progress.update(1, 2);
  }
  EXPECT_EQ(std::ftell(err), 0);
  std::fclose(err);
}

}  // namespace
}  // namespace proxima::cli
