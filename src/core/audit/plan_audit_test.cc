// SPDX-License-Identifier: Apache-2.0
#include "core/audit/plan_audit.h"

#include <gtest/gtest.h>

#include "core/plan/traffic.h"
#include "support/cluster.h"

namespace proxima::audit {
namespace {

using plan::ClusterPlan;
using plan::PlanOptions;
using policy::PolicyKind;

// Every world of three zones (the third without nodes of its own, or nodes without a zone) and up
// to four endpoints that stand in one of three zones or none, ready or not.
std::vector<std::string> small_worlds() {
  const std::vector<std::string> kinds = {"endpoint n1",        "endpoint n2",
                                          "endpoint n3",        "endpoint n4",
                                          "endpoint n1 !ready", "endpoint n2 terminating"};
  std::vector<std::string> worlds;
  for (const char* nodes : {"node n1 a 4; node n2 b 2; node n3 c 1; node n4 - 1;",
                            "node n1 a 4; node n2 b 4; node n3 c 4; node n4 c 1 !ready;"}) {
    const std::string start = std::string(nodes) + "service s/web keys=kubernetes.io/hostname;";
    std::vector<std::string> layer = {start};
    for (int depth = 0; depth < 4; ++depth) {
      std::vector<std::string> next;
      for (const std::string& world : layer) {
        for (const std::string& kind : kinds) next.push_back(world + kind + ";");
      }
      worlds.insert(worlds.end(), next.begin(), next.end());
      layer = std::move(next);
    }
  }
  return worlds;
}

TEST(PlanAudit, HoldsForEveryPolicyInEverySmallWorld) {
  for (const std::string& world : small_worlds()) {
    const auto snapshot = test::cluster(world);
    for (PolicyKind policy : policy::kAllPolicies) {
      PlanOptions options;
      options.forced = policy;
      const auto broken = audit_plan(plan_cluster(snapshot, options));
      ASSERT_TRUE(broken.empty()) << broken.front() << "\n" << world;
    }
  }
}

TEST(PlanAudit, NoticesWhatIsBroken) {
  PlanOptions options;
  options.forced = PolicyKind::Balanced;
  const auto snapshot = test::cluster(
      "node n1 a 4; node n2 b 2; service s/web; endpoint n1; endpoint n2; endpoint n1 !ready");
  const ClusterPlan good = plan_cluster(snapshot, options);
  ASSERT_TRUE(audit_plan(good).empty());

  ClusterPlan hinted = good;
  hinted.hints[2].zone = model::ZoneIndex(0);
  EXPECT_FALSE(audit_plan(hinted).empty()) << "a hint on an endpoint that is not ready";
  ClusterPlan short_row = good;
  short_row.splits[0] -= 0.1;
  EXPECT_FALSE(audit_plan(short_row).empty()) << "a row that loses traffic";
  ClusterPlan overloaded = good;
  overloaded.splits[0] += overloaded.splits[1];
  overloaded.splits[1] = 0;
  overloaded.services[0].overload = 0;
  EXPECT_FALSE(audit_plan(overloaded).empty()) << "a bound that is broken";
}

}  // namespace
}  // namespace proxima::audit
