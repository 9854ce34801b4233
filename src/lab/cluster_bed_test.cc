// SPDX-License-Identifier: Apache-2.0
// Real namespaces. Where they cannot be made the tests show how that is told, and say so.
#include "lab/cluster_bed.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/lab_probes.h"
#include "support/temp_folder.h"

namespace proxima::lab {
namespace {

ClusterShape small() { return {.nodes = {{"a", 1}, {"b", 1}}, .outside_hosts = 1}; }

Result<ClusterBed> build(const std::string& folder, const std::string& run) {
  auto claim = RunClaim::take(folder, run);
  if (!claim) return claim.error();
  return ClusterBed::build(plan_cluster(small()).value(), std::move(claim).value());
}

std::size_t names_in(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(ClusterBed, EveryHostReachesEveryOther) {
  const proxima::testing::TempFolder folder;
  const auto bed = build(folder.path(), "t1");
  if (test::refused_here(bed)) return;
  const ClusterPlan plan = plan_cluster(small()).value();
  for (std::size_t from = 1; from < plan.hosts.size(); ++from)
    for (std::size_t to = 1; to < plan.hosts.size(); ++to) {
      if (from == to) continue;
      SCOPED_TRACE(plan.hosts[from].name + " to " + plan.hosts[to].name);
      for (const IpAddress& address : {plan.hosts[to].v4, plan.hosts[to].v6})
        EXPECT_TRUE(test::datagrams_pass(bed->namespaces()[from], bed->namespaces()[to], address));
    }
}

TEST(ClusterBed, LeavesNothingBehind) {
  const proxima::testing::TempFolder folder;
  {
    const auto bed = build(folder.path(), "t2");
    if (test::refused_here(bed)) return;
    EXPECT_GT(names_in(folder.path()), 1U);
  }
  EXPECT_EQ(names_in(folder.path()), 0U);
}

}  // namespace
}  // namespace proxima::lab
