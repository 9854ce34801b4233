// SPDX-License-Identifier: Apache-2.0
#include "cli/table.h"

#include <gtest/gtest.h>

#include "cli/text_width.h"

namespace proxima::cli {
namespace {

Table sample() {
  Table table({{.header = "NAME", .shorten = Shorten::Middle, .width_min = 6},
               {.header = "COUNT", .align = Align::Right},
               {.header = "EXTRA", .spare_rank = 1},
               {.header = "REASON", .shorten = Shorten::End, .width_min = 6}});
  table.add({{"checkout-service"}, {"5"}, {"hints"}, {"every endpoint is used", Tone::Good}});
  table.add({{"web"}, {"12000"}, {""}, {""}});
  return table;
}

TEST(Table, IsAsWideAsItGetsAwayFromATerminal) {
  EXPECT_EQ(sample().render({}),
            "NAME              COUNT  EXTRA  REASON\n"
            "checkout-service      5  hints  every endpoint is used\n"
            "web               12000\n");
}

TEST(Table, ShortensTheWidestColumnsOnATerminal) {
  EXPECT_EQ(sample().render({.width = 44}),
            "NAME            COUNT  EXTRA  REASON\n"
            "checkou…ervice      5  hints  every endpoin…\n"
            "web             12000\n");
}

TEST(Table, LeavesOutWhatCanBeSparedWhenShorteningIsNotEnough) {
  EXPECT_EQ(sample().render({.width = 24}),
            "NAME     COUNT  REASON\n"
            "che…ice      5  every e…\n"
            "web      12000\n");
}

TEST(Table, KeepsWhatMustStayEvenWhereItDoesNotFit) {
  EXPECT_EQ(sample().render({.width = 10, .headers = false}),
            "che…ce      5  every…\n"
            "web     12000\n");
}

TEST(Table, FitsEveryWidthFromTheSmallestOn) {
  for (std::size_t width = 21; width < 70; ++width) {
    const std::string text = sample().render({.width = width});
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = text.find('\n', begin);
      EXPECT_LE(display_width(text.substr(begin, end - begin)), width);
      begin = end + 1;
    }
  }
}

TEST(Table, ColoursCellsOnlyWhenAsked) {
  Table table({{.header = "A"}, {.header = "B"}});
  table.add({{"x", Tone::Good}, {"y"}});
  EXPECT_EQ(table.render({.coloring = Coloring::On, .headers = false}), "\x1b[32mx\x1b[0m  y\n");
  EXPECT_EQ(table.render({.coloring = Coloring::Off, .headers = false}), "x  y\n");
}

TEST(Table, IndentsAndNeverPrintsControlCharacters) {
  Table table({{.header = "A"}});
  table.add({{"x\x1b[2Jy"}});
  EXPECT_EQ(table.render({.headers = false, .indent = 2}), "  x\xEF\xBF\xBD[2Jy\n");
}

}  // namespace
}  // namespace proxima::cli
