// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_model.h"

#include <gtest/gtest.h>

namespace proxima::dataplane {
namespace {

TEST(NftModel, EveryPartOfAKeyFillsWholeRegisters) {
  const std::vector<NftType> frontend = {NftType::Address, NftType::Protocol, NftType::Port};
  EXPECT_EQ(nft_width(frontend, IpFamily::V4), 12U);
  EXPECT_EQ(nft_width(frontend, IpFamily::V6), 24U);
}

TEST(NftModel, WhatIsNotUnderstoodIsADifference) {
  const NftRule rule{.steps = {NftUnknown{.name = "tunnel"}}};
  EXPECT_FALSE(rule == rule);
}

}  // namespace
}  // namespace proxima::dataplane
