// SPDX-License-Identifier: Apache-2.0
#include "web/proxy_page.h"

#include <gtest/gtest.h>

#include "support/dripping_server.h"

namespace proxima::web {
namespace {

TEST(ProxyPage, OfANodeThatAnswersAByteAtATimeIsGivenUp) {
  const support::DrippingServer server;
  const auto page = fetch({.node = "node-1",
                           .origin = server.origin(),
                           .path = "/debug/flows",
                           .time = std::chrono::milliseconds(200)},
                          net::Cancellation());
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().code, ErrorCode::Retry);
  EXPECT_NE(page.error().message.find("the proxy of node-1 at " + server.origin()),
            std::string::npos)
      << page.error().message;
  EXPECT_NE(page.error().message.find("timed out"), std::string::npos) << page.error().message;
}

}  // namespace
}  // namespace proxima::web
