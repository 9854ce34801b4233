// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/quantity_text.h"

#include <gtest/gtest.h>

namespace proxima::apiserver::rules {
namespace {

struct Row {
  std::string_view text;
  std::string_view canonical;
};

// What upstream's Quantity prints, oddities included: a text that looks canonical stays.
TEST(QuantityText, IsWrittenAsUpstreamWritesIt) {
  const Row rows[] = {
      {"0", "0"},           {"0.5", "500m"},    {"1.5", "1500m"},   {"1500m", "1500m"},
      {"1000m", "1"},       {"1000", "1k"},     {"1024Mi", "1Gi"},  {"1Gi", "1Gi"},
      {"1025Ki", "1025Ki"}, {"512Ki", "512Ki"}, {"0.5Gi", "512Mi"}, {"1e3", "1e3"},
      {"12e6", "12e6"},     {"1E3", "1E3"},     {"100n", "100n"},   {"0.1n", "1n"},
      {"-5", "-5"},         {"-0.5", "-500m"},  {"+5", "+5"},       {"1.234", "1.234"},
      {"00", "0"},          {"1000000", "1M"},  {"0.5Ki", "512"},   {"16Gi", "16Gi"},
      {"1.", "1."},
  };
  for (const Row& row : rows) {
    const auto canonical = canonical_quantity(row.text);
    ASSERT_TRUE(canonical.has_value()) << row.text;
    EXPECT_EQ(*canonical, row.canonical) << row.text;
  }
}

TEST(QuantityText, RoundsResourcesUpToThousandths) {
  EXPECT_EQ(*canonical_milli_quantity("100u"), "1m");
  EXPECT_EQ(*canonical_milli_quantity("1.0001"), "1001m");
  EXPECT_EQ(*canonical_milli_quantity("1.5"), "1500m");
}

TEST(QuantityText, RefusesWhatIsNone) {
  for (const std::string_view text : {"", "abc", "1 ", "1.2.3", "5x", "--1"})
    EXPECT_FALSE(canonical_quantity(text).has_value()) << text;
  EXPECT_EQ(canonical_quantity("1KiB").error().message,
            "quantities must match the regular expression "
            "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  EXPECT_EQ(canonical_quantity("1Kn").error().message, "unable to parse quantity's suffix");
}

}  // namespace
}  // namespace proxima::apiserver::rules
