// SPDX-License-Identifier: Apache-2.0
#include "controller/condition_patch.h"

#include <gtest/gtest.h>

#include "support/kube_records.h"

namespace proxima::controller {
namespace {

using plan::ConditionStatus;
using plan::ServiceCondition;

const WallTime kNow = WallTime(std::chrono::seconds(1'772'323'200));

class ConditionPatchTest : public ::testing::Test {
 protected:
  void has(std::string_view type, std::string_view status, std::string_view reason) {
    service_->conditions.push_back({Text(type), Text(status), Text(reason), Text("why")});
  }
  std::string patch(const std::vector<ServiceCondition>& wanted) {
    return condition_patch(*service_, wanted, kNow).value_or("nothing");
  }

  testing::RecordMaker make_;
  Ref<kube::ServiceRecord> service_ = make_.service("shop/web", "app=web");
};

TEST_F(ConditionPatchTest, SaysWhatWasNotSaid) {
  EXPECT_EQ(patch({{"proxima.io/A", ConditionStatus::True, "Fine", "why"}}),
            R"({"status":{"conditions":[{"type":"proxima.io/A","status":"True","reason":"Fine",)"
            R"("message":"why","lastTransitionTime":"2026-03-01T00:00:00Z"}]}})");
}

TEST_F(ConditionPatchTest, IsSilentWhenItIsSaidAlready) {
  has("proxima.io/A", "True", "Fine");
  has("proxima.io/B", "Unknown", "NoReport");
  EXPECT_EQ(patch({{"proxima.io/A", ConditionStatus::True, "Fine", "why"},
                   {"proxima.io/B", ConditionStatus::Unknown, "NoReport", "why"}}),
            "nothing");
}

TEST_F(ConditionPatchTest, KeepsTheTimeOfTheTransitionWhileTheStatusStays) {
  has("proxima.io/A", "True", "Fine");
  EXPECT_EQ(patch({{"proxima.io/A", ConditionStatus::True, "Other", "why"}}),
            R"({"status":{"conditions":[{"type":"proxima.io/A","status":"True","reason":"Other",)"
            R"("message":"why"}]}})");
  EXPECT_EQ(patch({{"proxima.io/A", ConditionStatus::False, "Bad", "why"}}),
            R"({"status":{"conditions":[{"type":"proxima.io/A","status":"False","reason":"Bad",)"
            R"("message":"why","lastTransitionTime":"2026-03-01T00:00:00Z"}]}})");
}

TEST_F(ConditionPatchTest, TakesAwayWhatIsNotWantedAnyMore) {
  has("proxima.io/A", "True", "Fine");
  EXPECT_EQ(patch({}), R"({"status":{"conditions":[{"$patch":"delete","type":"proxima.io/A"}]}})");
}

}  // namespace
}  // namespace proxima::controller
