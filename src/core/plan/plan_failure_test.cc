// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan_failure.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/plan/compare.h"
#include "core/plan/migration.h"
#include "support/cluster.h"

namespace proxima::plan {
namespace {

using policy::PolicyKind;
using policy::Reason;

constexpr const char* kThreeServices =
    "node n1 a 4; node n2 b 2; node n3 c 2;"
    "service s/first prefer-same-zone; endpoint n1; endpoint n2; endpoint n3;"
    "service s/second balanced; endpoint n1 x2; endpoint n2; endpoint n2 v6;"
    "service s/third zone-aware; endpoint n1 x3; endpoint n2 x3; endpoint n3 x3;";

// A bound on overload is at least 0: `balanced` checks it, and no other policy looks at it.
PlanOptions breaking_balanced() {
  PlanOptions options;
  options.defaults.overload = -1;
  return options;
}

std::string name_of(const ClusterPlan& plan, const ServicePlan& service) {
  return std::string(plan.snapshot->names[plan.snapshot->services[service.service.value()].name]);
}

TEST(PlanFailure, CostsOneServiceItsPlanAndNobodyElseAnything) {
  const auto snapshot = test::cluster(kThreeServices);
  ClusterPlan broken = plan_cluster(snapshot, breaking_balanced());
  ClusterPlan whole = plan_cluster(snapshot, {});
  ASSERT_EQ(broken.services.size(), whole.services.size());
  for (std::size_t i = 0; i < whole.services.size(); ++i) {
    ServicePlan& service = broken.services[i];
    SCOPED_TRACE(name_of(broken, service));
    EXPECT_EQ(service.service, whole.services[i].service);
    EXPECT_EQ(service.family, whole.services[i].family);
    EXPECT_EQ(service.ready, whole.services[i].ready);
    EXPECT_EQ(service.policy, whole.services[i].policy);
    EXPECT_EQ(has_failed(service), name_of(broken, service) == "second");
    const Traffic traffic = predict_or_fail(broken, service);
    if (has_failed(service)) {
      EXPECT_EQ(traffic.local + traffic.cross + traffic.rejected, 0);
      EXPECT_EQ(traffic.endpoint_load.size(), service.endpoints.size);
      continue;
    }
    const Traffic wanted = predict_traffic(whole, whole.services[i]);
    EXPECT_EQ(traffic.place_to_place, wanted.place_to_place);
    EXPECT_EQ(traffic.endpoint_load, wanted.endpoint_load);
    EXPECT_EQ(service.why.reason, whole.services[i].why.reason);
  }
}

TEST(PlanFailure, SaysWhatBrokeAndPublishesNothing) {
  const ClusterPlan plan = plan_cluster(test::cluster(kThreeServices), breaking_balanced());
  const ServicePlan& failed = plan.services[1];
  ASSERT_TRUE(has_failed(failed));
  EXPECT_NE(policy::sentence(failed.why).find("input.overload >= 0 (balanced.cc:"),
            std::string::npos)
      << policy::sentence(failed.why);
  EXPECT_FALSE(failed.hinted);
  EXPECT_LT(failed.split, 0);
  for (std::uint32_t e = 0; e < failed.endpoints.size; ++e)
    EXPECT_FALSE(plan.hints[failed.endpoints.begin + e].zone);
  EXPECT_EQ(plan.notes[failed.policy_notes.begin].reason, Reason::PolicyFromServiceAnnotation);
  const ClusterPlan copy = plan;  // notes borrow what broke
  EXPECT_EQ(copy.services[1].why.subject, failed.why.subject);
}

TEST(PlanFailure, OfOneServiceAloneIsThatPlan) {
  const auto snapshot = test::cluster(kThreeServices);
  const ClusterPlan plan = plan_service(snapshot, breaking_balanced(), model::ServiceIndex(1));
  ASSERT_EQ(plan.services.size(), 2U) << "one a family";
  EXPECT_TRUE(has_failed(plan.services[0]) && has_failed(plan.services[1]));
}

TEST(PlanFailure, OfOnePolicyLeavesTheOthersComparable) {
  const std::vector<Variant> variants = {{"as-configured", {}, {}},
                                         {"auto", PolicyKind::Auto, {}},
                                         {"balanced", PolicyKind::Balanced, -1}};
  const Comparison comparison = compare_policies(test::cluster(kThreeServices), {}, variants, {},
                                                 [](const model::Service&) { return true; });
  ASSERT_EQ(comparison.services.size(), 4U);
  for (const ComparedService& service : comparison.services) {
    ASSERT_EQ(service.outcomes.size(), 3U);
    EXPECT_NE(service.outcomes[0].why.reason, Reason::InternalError);
    EXPECT_NE(service.outcomes[1].why.reason, Reason::InternalError);
    EXPECT_EQ(service.outcomes[2].why.reason, Reason::InternalError);
    EXPECT_FALSE(service.outcomes[2].why.subject.empty());
  }
  EXPECT_EQ(comparison.totals[0].gigabytes, 3);
  EXPECT_EQ(comparison.totals[2].gigabytes, 0) << "what failed is not counted";
}

TEST(PlanFailure, IsToldInAMigration) {
  const ClusterPlan plan = plan_cluster(test::cluster(kThreeServices), breaking_balanced());
  const Migrations migrations =
      plan_migrations(plan, {}, [](const model::Service&) { return true; });
  ASSERT_EQ(migrations.services.size(), 4U);
  EXPECT_EQ(migrations.services[1].now.why.reason, Reason::InternalError);
  EXPECT_EQ(migrations.services[1].now.why.subject, plan.services[1].why.subject);
}

// Numbers of this size are refused where they are decoded; a plan has to stand them nevertheless.
TEST(PlanFailure, NumbersWithoutMeasureAreNone) {
  std::string heavy = "node n1 a 4 traffic=1e306; node n2 b 4; node n3 c 4 traffic=1e300;";
  const std::string endpoints =
      "endpoint n1 x64 weight=18014398509481984; endpoint n2 x64 weight=18014398509481984;"
      "endpoint n3 weight=1e-38; endpoint n3 weight=3e38;";
  for (const PolicyKind policy : policy::kAllPolicies) {
    heavy += "service s/" + std::string(policy::to_text(policy)) + " " +
             std::string(policy::to_text(policy)) +
             " demand=measured keys=kubernetes.io/hostname,*;" + endpoints;
  }
  PlanOptions options;
  options.defaults.zone_aware.basis = policy::LocalityBasis::HealthyHostsWeight;
  ClusterPlan plan = plan_cluster(test::cluster(heavy), options);
  for (ServicePlan& service : plan.services) {
    SCOPED_TRACE(name_of(plan, service));
    const Traffic traffic = predict_or_fail(plan, service);
    EXPECT_FALSE(has_failed(service)) << policy::sentence(service.why);
    EXPECT_NEAR(traffic.local + traffic.cross + traffic.rejected, 1, 1e-6);
    EXPECT_TRUE(std::isfinite(traffic.worst_overload));
  }
}

}  // namespace
}  // namespace proxima::plan
