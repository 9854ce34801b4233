// SPDX-License-Identifier: Apache-2.0
#include "kube/reflector_plan.h"

#include <gtest/gtest.h>

#include <set>

namespace proxima::kube {
namespace {

using FailureKind = StepFailure::Kind;
using std::chrono::seconds;

class ReflectorPlanTest : public ::testing::Test {
 protected:
  // "list rv=0 limit=500", "watch 17"
  std::string next(ReflectorPlan& plan) {
    if (plan.next() == StepKind::Watch) return "watch " + plan.watch_step().resource_version;
    const ListStep step = plan.list_step();
    std::string text = "list";
    if (!step.resource_version.empty()) text += " rv=" + step.resource_version;
    if (!step.continue_token.empty()) text += " continue=" + step.continue_token;
    if (step.limit > 0) text += " limit=" + std::to_string(step.limit);
    return text;
  }
  static StepFailure refused(int status, std::string message = "") {
    return {FailureKind::Refused, {.status = status, .reason = "", .message = std::move(message)}};
  }
  ReflectorPlan watching(ListFrom from = ListFrom::Cache) {
    ReflectorPlan plan({.list_from = from});
    plan.page_done({"10", ""});
    return plan;
  }
  Clock::SteadyTime now_{seconds(1000)};
};

TEST_F(ReflectorPlanTest, ListsPageByPageAndThenWatches) {
  ReflectorPlan plan({});
  EXPECT_EQ(next(plan), "list rv=0 limit=500");
  EXPECT_TRUE(plan.is_first_page());
  plan.page_done({"9", "more"});
  EXPECT_EQ(next(plan), "list continue=more limit=500");
  EXPECT_FALSE(plan.is_first_page());
  plan.page_done({"10", ""});
  EXPECT_EQ(next(plan), "watch 10");
}

TEST_F(ReflectorPlanTest, ListsFromStorageWhenAsked) {
  ReflectorPlan plan({.list_from = ListFrom::Storage});
  EXPECT_EQ(next(plan), "list limit=500");
}

TEST_F(ReflectorPlanTest, ListsAgainAfterTheWatchWhenAListHadUnreadableParts) {
  ReflectorPlan plan({});
  plan.page_done({"10", ""}, ListTrust::InParts);
  EXPECT_EQ(next(plan), "watch 10");
  plan.watch_ended({"12", "12", 1}, seconds(300));
  EXPECT_EQ(next(plan), "list rv=12");
}

TEST_F(ReflectorPlanTest, WatchesForATimeBetweenOnceAndTwiceTheLeast) {
  ReflectorPlan plan = watching();
  std::set<std::int64_t> times;
  for (int i = 0; i < 100; ++i) times.insert(plan.watch_step().timeout.count());
  EXPECT_GE(*times.begin(), 300);
  EXPECT_LT(*times.rbegin(), 600);
  EXPECT_GT(times.size(), 50U);
}

TEST_F(ReflectorPlanTest, KnowsWhatToDoAfterAFailedList) {
  const struct {
    const char* sentence;
    const char* token;  // of the page before
    StepFailure failure;
    const char* next;
  } rows[] = {
      {"no answer to the first page", "", {FailureKind::NoAnswer, {}}, "list rv=0 limit=500"},
      {"no answer to a later page", "t", {FailureKind::NoAnswer, {}}, "list continue=t limit=500"},
      {"a page that makes no sense", "t", {FailureKind::Garbage, {}}, "list continue=t limit=500"},
      {"the server is busy", "t", refused(429), "list continue=t limit=500"},
      {"the server is ill", "t", refused(503), "list continue=t limit=500"},
      {"pages that expired on the way", "t", refused(410), "list rv=0"},
      {"a version that expired", "", refused(410), "list limit=500"},
      {"a version that the server has not reached", "",
       refused(504, "Too large resource version: 9, current: 3"), "list limit=500"},
      {"forbidden", "t", refused(403), "list rv=0 limit=500"},
      {"items without names", "t", {FailureKind::Unsure, {}}, "list rv=0 limit=500"},
  };
  for (const auto& row : rows) {
    ReflectorPlan plan({});
    if (*row.token != 0) plan.page_done({"", row.token});
    EXPECT_GT(plan.list_failed(row.failure, now_), Duration::zero()) << row.sentence;
    EXPECT_EQ(next(plan), row.next) << row.sentence;
  }
}

TEST_F(ReflectorPlanTest, BeginsAgainWhenAPageFailsOverAndOver) {
  ReflectorPlan plan({});
  plan.page_done({"", "t"});
  for (int i = 0; i < 3; ++i) plan.list_failed({FailureKind::NoAnswer, {}}, now_);
  EXPECT_EQ(next(plan), "list rv=0 limit=500");
}

TEST_F(ReflectorPlanTest, KnowsWhatToDoAfterAFailedWatch) {
  const struct {
    const char* sentence;
    StepFailure failure;
    const char* next;
  } rows[] = {
      {"no answer", {FailureKind::NoAnswer, {}}, "watch 12"},
      {"garbage once", {FailureKind::Garbage, {}}, "watch 12"},
      {"busy", refused(429), "watch 12"},
      {"ill", refused(500), "watch 12"},
      {"expired", refused(410), "list rv=12"},
      {"expired by its reason alone", {FailureKind::Refused, {.reason = "Expired"}}, "list rv=12"},
      {"forbidden", refused(403), "list rv=12"},
      {"something may be missing", {FailureKind::Unsure, {}}, "list rv=12"},
  };
  for (const auto& row : rows) {
    ReflectorPlan plan = watching();
    EXPECT_GT(plan.watch_failed(row.failure, {"12", "12", 0}, now_), Duration::zero())
        << row.sentence;
    EXPECT_EQ(next(plan), row.next) << row.sentence;
  }
}

TEST_F(ReflectorPlanTest, ListsNothingOlderThanItHasSeenThoughItWatchesFromBefore) {
  ReflectorPlan plan = watching();
  plan.watch_failed({FailureKind::NoAnswer, {}}, {"12", "17", 3}, now_);
  EXPECT_EQ(next(plan), "watch 12");
  plan.watch_failed(refused(410), {"12", "17", 0}, now_);
  EXPECT_EQ(next(plan), "list rv=17");
}

TEST_F(ReflectorPlanTest, ListsAgainWhenGarbageComesAgain) {
  ReflectorPlan plan = watching();
  plan.watch_failed({FailureKind::Garbage, {}}, {"12", "12", 1}, now_);
  EXPECT_EQ(next(plan), "watch 12");
  plan.watch_failed({FailureKind::Garbage, {}}, {"12", "12", 0}, now_);
  EXPECT_EQ(next(plan), "list rv=12");
}

TEST_F(ReflectorPlanTest, ForgivesGarbageWhenEventsCameInBetween) {
  ReflectorPlan plan = watching();
  plan.watch_failed({FailureKind::Garbage, {}}, {"12", "12", 0}, now_);
  plan.watch_ended({"14", "14", 2}, seconds(5));
  plan.watch_failed({FailureKind::Garbage, {}}, {"14", "14", 0}, now_);
  EXPECT_EQ(next(plan), "watch 14");
}

TEST_F(ReflectorPlanTest, ComesBackAtOnceOnlyAfterAHealthyWatch) {
  ReflectorPlan plan = watching();
  EXPECT_EQ(plan.watch_ended({"12", "12", 0}, seconds(300)), Duration::zero());
  EXPECT_GT(plan.watch_ended({"12", "12", 0}, Duration::zero()), Duration::zero());
}

TEST_F(ReflectorPlanTest, WaitsAsLongAsTheServerAsksWithinReason) {
  StepFailure busy = refused(429);
  busy.refusal.retry_after_seconds = 50;
  ReflectorPlan plan = watching();
  EXPECT_GE(plan.watch_failed(busy, {"12", "12", 0}, now_), seconds(50));
  busy.refusal.retry_after_seconds = 1'000'000;
  EXPECT_LE(plan.watch_failed(busy, {"12", "12", 0}, now_), seconds(120));
}

TEST_F(ReflectorPlanTest, ListsFromStorageAfterAVersionWasRefusedAndThenAsBefore) {
  ReflectorPlan plan = watching();
  plan.watch_failed(refused(410), {"12", "12", 0}, now_);
  plan.list_failed(refused(410), now_);
  EXPECT_EQ(next(plan), "list limit=500");
  plan.page_done({"20", ""});
  plan.watch_failed(refused(410), {"21", "21", 0}, now_);
  EXPECT_EQ(next(plan), "list rv=21");
}

}  // namespace
}  // namespace proxima::kube
