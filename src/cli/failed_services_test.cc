// SPDX-License-Identifier: Apache-2.0
#include "cli/failed_services.h"

#include <gtest/gtest.h>

#include "support/cluster.h"

namespace proxima::cli {
namespace {

constexpr const char* kTwoServices =
    "node n1 a 4; node n2 b 2; service shop/cart; endpoint n1; endpoint n2;"
    "service shop/web; endpoint n1; endpoint n2;";

// A bound on overload is at least 0: `balanced` checks it.
plan::Comparison compared_with(double overload) {
  const std::vector<plan::Variant> variants = {
      {"as-configured", {}, {}}, {"balanced", policy::PolicyKind::Balanced, overload}};
  return plan::compare_policies(test::cluster(kTwoServices), {}, variants, {},
                                [](const model::Service&) { return true; });
}

TEST(FailedServices, AreNoneWhereEverythingWasPlanned) {
  const plan::Comparison comparison = compared_with(0.2);
  EXPECT_TRUE(failed_services(comparison).empty());
  EXPECT_TRUE(planning_status(*comparison.snapshot, {}));
}

TEST(FailedServices, AreNamedWithWhatBroke) {
  const plan::Comparison comparison = compared_with(-1);
  const auto failed = failed_services(comparison);
  ASSERT_EQ(failed.size(), 2U);
  const Status status = planning_status(*comparison.snapshot, failed);
  ASSERT_FALSE(status);
  const std::string& message = status.error().message;
  EXPECT_EQ(message.substr(0, 66),
            "service \"shop/cart\": an internal error stopped the work on this Se");
  EXPECT_NE(message.find("input.overload >= 0 (balanced.cc:"), std::string::npos) << message;
  EXPECT_NE(message.find("; the same holds of 1 other plan"), std::string::npos) << message;
}

TEST(FailedServices, OfAMigrationAreNamedToo) {
  plan::PlanOptions options;
  options.defaults.overload = -1;
  options.defaults.policy = policy::PolicyKind::Balanced;
  const plan::ClusterPlan plan = plan::plan_cluster(test::cluster(kTwoServices), options);
  const plan::Migrations migrations =
      plan::plan_migrations(plan, {}, [](const model::Service&) { return true; });
  EXPECT_EQ(failed_services(migrations).size(), 2U);
}

}  // namespace
}  // namespace proxima::cli
