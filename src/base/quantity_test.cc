// SPDX-License-Identifier: Apache-2.0
#include "base/quantity.h"

#include <gtest/gtest.h>

#include <string>

namespace proxima {
namespace {

TEST(Quantity, ReadsWhatKubernetesWrites) {
  const struct {
    const char* name;
    const char* text;
    std::int64_t milli;
  } cases[] = {
      {"whole units", "2", 2000},
      {"milli-units", "1500m", 1500},
      {"a fraction", "0.5", 500},
      {"a fraction without a whole part", ".25", 250},
      {"a point without a fraction", "3.", 3000},
      {"a decimal exponent", "1e3", 1'000'000},
      {"a capital exponent with a sign", "2E+1", 20'000},
      {"a negative exponent", "5e-1", 500},
      {"E alone is exa", "0.001E", 1'000'000'000'000'000'000},
      {"a binary suffix", "4Ki", 4'096'000},
      {"a large binary suffix", "1Gi", 1'073'741'824'000},
      {"a decimal suffix", "1k", 1'000'000},
      {"an explicit plus", "+1", 1000},
      {"leading zeros", "007", 7000},
      {"nothing at all", "0", 0},
      {"micro-units round up to a milli-unit", "1u", 1},
      {"nano-units round up to a milli-unit", "1000001n", 2},
      {"finer than nano rounds up, never to nothing", "0.0000000001", 1},
      {"many digits after the point are cut, and round up", "1.0000000000000000000000000001", 1001},
      {"the largest exponent that fits", "9e15", 9'000'000'000'000'000'000},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    auto parsed = Quantity::parse(c.text);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->milli(), c.milli);
    EXPECT_EQ(parsed->is_zero(), c.milli == 0);
  }
}

TEST(Quantity, RefusesWhatIsNone) {
  const struct {
    const char* name;
    std::string text;
  } cases[] = {
      {"nothing", ""},
      {"a negative number", "-1"},
      {"a negative zero", "-0"},
      {"a word", "two"},
      {"only a suffix", "Ki"},
      {"only a point", "."},
      {"two points", "1.2.3"},
      {"an unknown suffix", "1x"},
      {"a suffix in the wrong case", "1K"},
      {"an exponent without digits", "1e"},
      {"an exponent and a suffix", "1e3Ki"},
      {"a blank inside", "1 k"},
      {"a blank before", " 1"},
      {"more than 2^63 units", "1e19"},
      {"an absurd exponent", "1e999"},
      {"a hundred digits", std::string(100, '9')},
      {"a NUL byte", std::string("1\0", 2)},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    auto parsed = Quantity::parse(c.text);
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().code, ErrorCode::InvalidInput);
    EXPECT_NE(parsed.error().message.find("not a quantity"), std::string::npos);
  }
}

TEST(Quantity, EqualAmountsAreEqualHoweverTheyAreWritten) {
  EXPECT_EQ(*Quantity::parse("1500m"), *Quantity::parse("1.5"));
  EXPECT_EQ(*Quantity::parse("1Ki"), *Quantity::parse("1024"));
  EXPECT_LT(*Quantity::parse("999n"), *Quantity::parse("1u"));
  EXPECT_EQ(Quantity::from_milli(250), *Quantity::parse("0.25"));
}

TEST(Quantity, SumsOfManyNodesStayExact) {
  Quantity sum;
  for (int i = 0; i < 1000; ++i) sum += *Quantity::parse("0.1");
  EXPECT_EQ(sum, *Quantity::parse("100"));
  sum -= *Quantity::parse("100");
  EXPECT_TRUE(sum.is_zero());
}

TEST(Quantity, MilliOfTheLargestStaysWithinRange) {
  EXPECT_EQ(Quantity::parse("9223372036854775807")->milli(), INT64_MAX);
}

}  // namespace
}  // namespace proxima
