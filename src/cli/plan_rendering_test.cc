// SPDX-License-Identifier: Apache-2.0
// The plan of one small cluster in every form it is printed in.
#include <gtest/gtest.h>

#include "cli/plan_document.h"
#include "cli/plan_table.h"
#include "support/cluster.h"
#include "support/golden.h"

namespace proxima::cli {
namespace {

struct Planned {
  plan::ClusterPlan plan;
  std::vector<PlannedService> services;
};

Planned planned(std::string_view notation) {
  Planned out{plan::plan_cluster(test::cluster(notation), {}), {}};
  for (const plan::ServicePlan& service : out.plan.services)
    out.services.push_back({service, plan::predict_traffic(out.plan, service)});
  return out;
}

// Half the demand is in a, a quarter each in b and c; c has no endpoint of shop/cart.
constexpr std::string_view kShop =
    "node n1 a 4; node n2 b 2; node n3 c 2\n"
    "service shop/cart balanced overload=20%; endpoint n1 x2; endpoint n2 x2; endpoint n2 !ready\n"
    "service shop/web PreferSameZone; endpoint n1; endpoint n2; endpoint n3\n"
    "service test/idle Auto\n";

TEST(PlanRendering, AsATable) {
  const Planned p = planned(kShop);
  EXPECT_EQ(
      render_plan_table(p.plan, p.services, {}),
      "NAMESPACE  NAME  POLICY            READY  LOCAL  OVERLOAD  PUBLISHED    REASON\n"
      "shop       cart  balanced 20%        4/5    75%        0%  hints+split  25% of the "
      "traffic leaves its zone, the least that an overload bound of 20% allows\n"
      "shop       web   prefer-same-zone    3/3   100%      +50%  hints        endpoints in the "
      "node's own zone are used\n"
      "test       idle  auto                0/0      -         -  -            the Service has "
      "no EndpointSlices\n");
}

TEST(PlanRendering, AsATableOnANarrowTerminal) {
  const Planned p = planned(kShop);
  test::expect_golden("cli/golden/plan_80.txt",
                      render_plan_table(p.plan, p.services, {.width = 80}));
}

TEST(PlanRendering, AsAWideTable) {
  const Planned p = planned(
      "node n1 a 4; node n2 b 2; node n3 - 2\n"
      "service shop/cart balanced; endpoint n1 x2; endpoint n2\n"
      "service shop/dual PreferSameNode v6; endpoint n1; endpoint n2; slice; endpoint n1 v6\n");
  test::expect_golden("cli/golden/plan_wide.txt",
                      plan_table(p.plan, p.services, Width::Wide, ReasonForm::Sentence).render({}));
}

TEST(PlanRendering, AsYamlAndJson) {
  const Planned p = planned(
      "node n1 a 4; node n2 b 2; node n3 c 2\n"
      "service shop/cart balanced overload=inf; endpoint n1 weight=2 pod=cart-1; endpoint n2 "
      "!ready terminating\n");
  test::expect_golden("cli/golden/plan.yaml",
                      plan_document(p.plan, p.services, report::DocumentFormat::Yaml));
  test::expect_golden("cli/golden/plan.json",
                      plan_document(p.plan, p.services, report::DocumentFormat::Json));
}

TEST(PlanRendering, AsJsonOfNothing) {
  const Planned p = planned("node n1 a 4");
  EXPECT_EQ(plan_document(p.plan, p.services, report::DocumentFormat::Json),
            "{\n  \"apiVersion\": \"cli.proxima.io/v1\",\n  \"kind\": \"ServicePlanList\",\n"
            "  \"items\": []\n}\n");
}

TEST(PlanRendering, KeysAndNodeHintsInYaml) {
  const Planned p = planned(
      "node n1 a 4; node n2 b 2\n"
      "service shop/cart keys=kubernetes.io/hostname,* topology-keys; endpoint n1\n"
      "service shop/web PreferSameNode; endpoint n2\n");
  const std::string text = plan_document(p.plan, p.services, report::DocumentFormat::Yaml);
  EXPECT_NE(text.find("  topologyKeys:\n  - kubernetes.io/hostname\n  - \"*\"\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("    forZones:\n    - b\n    forNodes:\n    - n2\n"), std::string::npos)
      << text;
}

}  // namespace
}  // namespace proxima::cli
