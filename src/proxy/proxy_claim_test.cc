// SPDX-License-Identifier: Apache-2.0
#include "proxy/proxy_claim.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>

namespace proxima::proxy {
namespace {

// Of this process alone, so that tests can run side by side.
std::string name() { return "test-" + std::to_string(::getpid()); }

TEST(ProxyClaim, IsGivenToOneAndSaysToWhom) {
  std::optional first = ProxyClaim::take(name());
  ASSERT_TRUE(first->has_value());
  const auto second = ProxyClaim::take(name());
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, ErrorCode::Conflict);
  const std::string expected = "another proxima proxy routes Services of the proxy \"" + name() +
                               "\" in this network namespace: process " +
                               std::to_string(::getpid()) + " (";
  EXPECT_EQ(second.error().message.substr(0, expected.size()), expected) << second.error().message;
  EXPECT_EQ(ProxyClaim::take(name()).error().message, second.error().message) << "always";
}

TEST(ProxyClaim, OfAnotherNameIsAnother) {
  const auto first = ProxyClaim::take(name());
  const auto second = ProxyClaim::take(name() + "-other");
  EXPECT_TRUE(first.has_value());
  EXPECT_TRUE(second.has_value());
}

TEST(ProxyClaim, EndsWithItsHolder) {
  { const auto first = ProxyClaim::take(name()); }
  EXPECT_TRUE(ProxyClaim::take(name()).has_value());
}

}  // namespace
}  // namespace proxima::proxy
