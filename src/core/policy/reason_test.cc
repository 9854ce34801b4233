// SPDX-License-Identifier: Apache-2.0
#include "core/policy/reason.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace proxima::policy {
namespace {

TEST(Reasons, HaveDistinctCodesInSnakeCaseAndFullSentences) {
  std::set<std::string_view> codes, sentences;
  for (const ReasonText& row : reasons()) {
    SCOPED_TRACE(row.code);
    EXPECT_TRUE(codes.insert(row.code).second);
    EXPECT_TRUE(sentences.insert(row.sentence).second);
    EXPECT_EQ(row.code.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
              std::string_view::npos);
    EXPECT_FALSE(row.sentence.ends_with('.'));
  }
}

TEST(Reasons, ThatHurtSayWhatToDo) {
  for (const ReasonText& row : reasons()) {
    SCOPED_TRACE(row.code);
    const bool hurts = row.severity == Severity::Fallback || row.severity == Severity::Refused ||
                       row.severity == Severity::Broken;
    const bool nothing_to_do = row.reason == Reason::ZoneAwareNoCapacityLeft;
    EXPECT_EQ(hurts && row.remedy.empty(), nothing_to_do);
  }
}

TEST(Reasons, UseOnlyPlaceholdersThatExist) {
  const Note full{.reason = Reason::ClusterWide,
                  .subject = "S",
                  .count = 1,
                  .zones = 2,
                  .share = 0.3,
                  .limit = 0.4,
                  .cost = 0.5};
  for (const ReasonText& row : reasons()) {
    SCOPED_TRACE(row.code);
    Note note = full;
    note.reason = row.reason;
    for (const std::string& text : {sentence(note), remedy(note)}) {
      EXPECT_EQ(text.find('{'), std::string::npos);
      EXPECT_EQ(text.find("  "), std::string::npos) << "a placeholder came out empty";
    }
  }
}

TEST(Reasons, FillInTheFacts) {
  EXPECT_EQ(sentence({.reason = Reason::TooFewEndpoints, .count = 2, .zones = 3}),
            "Insufficient number of endpoints (2 endpoints, 3 zones)");
  EXPECT_EQ(sentence({.reason = Reason::UsesSplit, .share = 0.9333}),
            "traffic follows the zone split of the plan: 93.3% stays in the zone");
  EXPECT_EQ(sentence({.reason = Reason::BalancedAllLocal, .limit = HUGE_VAL}),
            "all traffic stays in its zone, within an overload bound of infinity");
  EXPECT_EQ(sentence({.reason = Reason::ZoneFailsOver,
                      .subject = "b",
                      .count = 1,
                      .share = 1.0 / 3,
                      .limit = 2,
                      .cost = 2.0 / 3}),
            "zone b has 1 ready endpoints and needs 2, so its traffic uses other zones, too, its "
            "region first: 33.3% of the Service's traffic crosses zones, which costs 0.667 per "
            "unit of traffic");
}

}  // namespace
}  // namespace proxima::policy
