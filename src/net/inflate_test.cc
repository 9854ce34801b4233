// SPDX-License-Identifier: Apache-2.0
#include "net/inflate.h"

#include <gtest/gtest.h>

#include <optional>

namespace proxima::net {
namespace {

// nullopt: damaged or cut off.
std::optional<std::string> inflated(std::string_view packed, std::size_t step) {
  Inflater inflater;
  std::string text;
  while (!packed.empty()) {
    std::string_view input = packed.substr(0, step);
    packed.remove_prefix(input.size());
    while (true) {
      const auto piece = inflater.feed(input);
      if (!piece) return std::nullopt;
      input.remove_prefix(piece->consumed);
      text += piece->output;
      if (piece->consumed == 0 && piece->output.empty()) break;
    }
  }
  if (!inflater.complete()) return std::nullopt;
  return text;
}

TEST(Inflate, GivesBackWhatWasPackedHoweverItIsCut) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "line " + std::to_string(i * 7919) + "\n";
  const std::string packed = gzip(text);
  EXPECT_LT(packed.size(), text.size() / 2);
  for (const std::size_t step : {1UL, 2UL, 7UL, 1000UL, packed.size()}) {
    EXPECT_EQ(inflated(packed, step), text) << step;
  }
}

TEST(Inflate, ReadsSeveralMembersInOneBody) {
  EXPECT_EQ(inflated(gzip("one ") + gzip("") + gzip("two"), 3), "one two");
}

TEST(Inflate, RefusesWhatIsDamagedOrCutOff) {
  const std::string packed = gzip("some text that is long enough to be packed, packed, packed");
  EXPECT_EQ(inflated(packed.substr(0, packed.size() - 1), 100), std::nullopt);
  EXPECT_EQ(inflated("not gzip at all", 100), std::nullopt);
  std::string damaged = packed;
  damaged[packed.size() - 6] = static_cast<char>(damaged[packed.size() - 6] ^ 1);  // its checksum
  EXPECT_EQ(inflated(damaged, 100), std::nullopt);
  EXPECT_EQ(inflated(packed + "garbage", 100), std::nullopt);
}

TEST(Inflate, HandsOutABombPieceByPiece) {
  const std::string packed = gzip(std::string(50U << 20U, 'x'));
  EXPECT_LT(packed.size(), 1U << 20U);
  Inflater inflater;
  const auto piece = inflater.feed(packed);
  ASSERT_TRUE(piece);
  EXPECT_LE(piece->output.size(), 256U << 10U);
}

}  // namespace
}  // namespace proxima::net
