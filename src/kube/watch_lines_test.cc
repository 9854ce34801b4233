// SPDX-License-Identifier: Apache-2.0
#include "kube/watch_lines.h"

#include <gtest/gtest.h>

#include <string>

namespace proxima::kube {
namespace {

TEST(WatchLines, AreTheSameHoweverTheyAreCut) {
  const std::string_view text = "first\nsecond line\r\n\n\nthird\nhalf";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    WatchLines lines(100);
    std::string read;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      lines.append(text.substr(at, piece));
      while (const auto line = lines.next()) read += "<" + std::string(*line) + ">";
    }
    EXPECT_EQ(read, "<first><second line><third>") << piece;
  }
}

TEST(WatchLines, SayWhenALineIsTooLong) {
  WatchLines lines(100);
  lines.append("x\n" + std::string(100, 'y'));
  EXPECT_TRUE(lines.next());
  EXPECT_FALSE(lines.is_too_long());
  lines.append("y");
  EXPECT_FALSE(lines.next());
  EXPECT_TRUE(lines.is_too_long());
  lines.clear();
  EXPECT_FALSE(lines.is_too_long());
}

}  // namespace
}  // namespace proxima::kube
