// SPDX-License-Identifier: Apache-2.0
#include "core/policy/published_hints.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

namespace proxima::policy {
namespace {

// One character an endpoint: 'a' is zone 0, '-' is not published.
std::vector<std::uint16_t> zones(std::string_view text) {
  std::vector<std::uint16_t> out;
  for (const char c : text) {
    out.push_back(c == '-' ? kNotPublished : static_cast<std::uint16_t>(c - 'a'));
  }
  return out;
}

std::string text(const std::vector<std::uint16_t>& zones) {
  std::string out;
  for (const std::uint16_t zone : zones) out += static_cast<char>('a' + zone);
  return out;
}

TEST(PublishedHints, StayWhereTheNumbersAllowIt) {
  const struct {
    const char* name;
    const char* place;
    const char* published;
    const char* planned;
    const char* chosen;
  } rows[] = {
      {"another endpoint of the zone was lent before", "aaa", "aca", "caa", "aca"},
      {"nothing published, nothing changed", "aaa", "---", "caa", "caa"},
      {"one more is lent than before", "aaaa", "acaa", "ccaa", "ccaa"},
      {"one fewer: the later one stays", "aaaa", "cacc", "ccaa", "aacc"},
      {"a place of its own has nobody to exchange with", "ab", "ba", "ab", "ab"},
      {"a zone that is not needed any more", "aaa", "bbb", "aac", "aac"},
      {"new endpoints take what is left", "aaaa", "-ca-", "ccaa", "ccaa"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    PublishedHintsWorkspace workspace;
    const auto place = zones(row.place), published = zones(row.published);
    auto hint_of = zones(row.planned);
    keep_published({place, {}, published}, workspace, hint_of);
    EXPECT_EQ(text(hint_of), row.chosen);
  }
}

TEST(PublishedHints, AreExchangedOnlyBetweenEndpointsOfOneWeight) {
  PublishedHintsWorkspace workspace;
  const auto place = zones("aaa"), published = zones("abb");
  const float weight[] = {1, 2, 1};
  auto hint_of = zones("baa");
  keep_published({place, weight, published}, workspace, hint_of);
  EXPECT_EQ(text(hint_of), "aab") << "the second is twice as strong; the third is like the first";
}

// In every random case the number of each (place, zone) stays, and no exchange would keep more.
TEST(PublishedHints, KeepAsManyAsPossible) {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<std::uint16_t>(random() % n); };
  PublishedHintsWorkspace workspace;
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::uint16_t> place, published, planned;
    for (int i = below(12); i >= 0; --i) {
      place.push_back(below(3));
      published.push_back(below(4) == 3 ? kNotPublished : below(3));
      planned.push_back(below(3));
    }
    auto hint_of = planned;
    keep_published({place, {}, published}, workspace, hint_of);
    int possible = 0, kept = 0;
    for (std::uint16_t p = 0; p < 3; ++p) {
      for (std::uint16_t z = 0; z < 3; ++z) {
        int asked = 0, before = 0, after = 0;
        for (std::size_t i = 0; i < place.size(); ++i) {
          if (place[i] != p) continue;
          asked += published[i] == z ? 1 : 0;
          before += planned[i] == z ? 1 : 0;
          after += hint_of[i] == z ? 1 : 0;
        }
        ASSERT_EQ(before, after);
        possible += std::min(asked, before);
      }
    }
    for (std::size_t i = 0; i < place.size(); ++i) kept += hint_of[i] == published[i] ? 1 : 0;
    ASSERT_EQ(kept, possible);
  }
}

TEST(PublishedHints, CostWhatLeavesItsZone) {
  const auto place = zones("aab"), hints = zones("aba"), none = zones("aaa");
  const double demand[] = {0.5, 0.5};
  EXPECT_DOUBLE_EQ(cost_of_hints(hints, {place, {}, {}}, demand, {}), 0.5 * 0.5 + 0.5);
  EXPECT_TRUE(std::isinf(cost_of_hints(none, {place, {}, {}}, demand, {})));
}

}  // namespace
}  // namespace proxima::policy
