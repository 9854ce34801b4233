// SPDX-License-Identifier: Apache-2.0
#include "cli/lab_client.h"

#include <gtest/gtest.h>

#include "support/dripping_server.h"

namespace proxima::cli {
namespace {

TEST(LabClient, GivesUpOnALabThatAnswersAByteAtATime) {
  net::Deadlines deadlines = kLabDeadlines;
  ASSERT_TRUE(deadlines.total);
  deadlines.total = std::chrono::milliseconds(200);
  const support::DrippingServer server;
  const auto client = LabClient::create({.url = server.origin(), .token = "t"}, deadlines);
  ASSERT_TRUE(client) << client.error().message;
  const auto state = client->state();
  ASSERT_FALSE(state);
  EXPECT_NE(state.error().message.find("timed out"), std::string::npos) << state.error().message;
}

}  // namespace
}  // namespace proxima::cli
