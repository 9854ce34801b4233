// SPDX-License-Identifier: Apache-2.0
#include "core/plan/decisions.h"

#include <gtest/gtest.h>

#include "support/cluster.h"

namespace proxima::plan {
namespace {

using policy::Reason;

TEST(Decisions, BeginWithWhatAnswersWhyTrafficGoesWhereItGoes) {
  const struct {
    const char* name;
    const char* cluster;
    std::vector<Reason> reasons;
  } cases[] = {
      {"every zone has its own",
       "node n1 a 4; node n2 b 4; service s/web Auto; endpoint n1; endpoint n2",
       {Reason::HintsAssigned}},
      {"one zone has them all and lends",
       "node n1 a 4; node n2 b 4; node n3 c 4; service s/web Auto; endpoint n1 x3",
       {Reason::HintsLentToOtherZones, Reason::HintsAssigned}},
      {"hints are refused",
       "node n1 a 4; node n2 b 4; node n3 c 4; service s/web Auto; endpoint n1; endpoint n2",
       {Reason::TooFewEndpoints}},
  };
  for (const auto& c : cases) {
    const ClusterPlan plan = plan_cluster(test::cluster(c.cluster), {});
    std::vector<Reason> reasons;
    for (const policy::Note& note : decisions_of(plan, plan.services.front()))
      reasons.push_back(note.reason);
    EXPECT_EQ(reasons, c.reasons) << c.name;
  }
}

}  // namespace
}  // namespace proxima::plan
