// SPDX-License-Identifier: Apache-2.0
#include "core/policy/priority_load.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "support/zones.h"

namespace proxima::policy {
namespace {

// One zone a priority: "A3 B2+1d" are two priorities.
std::vector<PriorityHosts> priorities(std::string_view text) {
  std::vector<PriorityHosts> result;
  for (const test::Zone& zone : test::zones(text)) {
    result.push_back({{zone.hosts, test::weighed(zone.hosts, zone.weight)}});
  }
  return result;
}

// "70 30+5!": healthy load, "+5" degraded load, "!" panic.
std::string written(const PriorityLoads& loads) {
  std::string text;
  for (const PriorityLoad& load : loads) {
    text += (text.empty() ? "" : " ") + std::to_string(load.healthy);
    if (load.degraded > 0) text += "+" + std::to_string(load.degraded);
    if (load.panic) text += "!";
  }
  return text;
}

TEST(PriorityLoad, GoesDownOnlyAsFarAsNeeded) {
  const struct {
    const char* name;
    const char* given;
    std::uint32_t threshold;
    const char* loads;
  } cases[] = {
      {"all is well", "A4 B4", 50, "100 0"},
      {"overprovisioning hides a few sick hosts", "A72+28u B1", 50, "100 0"},
      {"and no more than that", "A71+29u B1", 50, "99 1"},
      {"the second takes what the first cannot", "A1+1u B1+1u", 50, "70 30"},
      {"healthy hosts below come before degraded ones above", "A0+5d B5", 50, "0 100"},
      {"degraded hosts take the rest", "A1+2d", 50, "46+54"},
      {"the spare point goes to the first healthy one", "A25+75u B25+75u C20+80u", 0, "37 35 28"},
      {"or to the first degraded one", "A0+5u B0+2d+3u C0+1d+4u", 0, "0 0+67 0+33"},
      {"a sick priority is in panic alone", "A5+95u B65+35u", 50, "8! 92"},
      {"none is when the cluster has enough", "A1+9u B10", 50, "14 86"},
      {"all in panic share by hosts", "A1+3u B1+3u", 50, "50! 50!"},
      {"and the rest goes to the first with hosts", "A0 B0+6u C0+3u", 50, "0! 67! 33!"},
      {"nobody at all", "A0 B0", 50, "100! 0!"},
      {"excluded hosts are not missing", "A1+3x B1+4u", 50, "100 0"},
      {"a priority of excluded hosts has nothing", "A0+4x B4", 50, "0 100"},
      {"exactly at the threshold is not panic", "A1+1u", 50, "100"},
      {"a threshold above 71 changes nothing", "A3+1u", 100, "100"},
      {"threshold 0 never panics", "A0+1u B0+1u", 0, "100 0"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(written(priority_loads(priorities(c.given), c.threshold)), c.loads);
  }
}

TEST(PriorityLoad, WithoutHostsAndThresholdTheOldPanicStays) {
  const PriorityLoads before = priority_loads(priorities("A1+3u B1+3u"), 50);
  ASSERT_EQ(written(before), "50! 50!");
  EXPECT_EQ(written(priority_loads(priorities("A0+4u B0+4u"), 0, before)), "100! 0!");
  EXPECT_EQ(written(priority_loads(priorities("A1+3u B0+4u"), 0, before)), "100 0");
}

TEST(PriorityLoad, WeightsCountWhenAskedTo) {
  auto given = priorities("A2+2u B1");
  given[0].hosts.weight = {.total = 10, .healthy = 6, .degraded = 0, .excluded = 0};
  for (PriorityHosts& priority : given) priority.overprovisioning_factor = 100;
  EXPECT_EQ(written(priority_loads(given, 50)), "50 50");
  for (PriorityHosts& priority : given) priority.weighted_health = true;
  EXPECT_EQ(written(priority_loads(given, 50)), "60 40");
}

TEST(PriorityLoad, ADrawChoosesByRunningSum) {
  const PriorityLoad loads[] = {{30, 10, false}, {20, 40, false}};
  const struct {
    std::uint64_t draw;
    std::size_t priority;
    HostView view;
  } cases[] = {
      {0, 0, HostView::Healthy},   {29, 0, HostView::Healthy},  {30, 1, HostView::Healthy},
      {49, 1, HostView::Healthy},  {50, 0, HostView::Degraded}, {59, 0, HostView::Degraded},
      {60, 1, HostView::Degraded}, {99, 1, HostView::Degraded}, {100, 0, HostView::Healthy},
  };
  for (const auto& c : cases) {
    const PriorityChoice got = choose_priority(loads, c.draw);
    EXPECT_EQ(got.priority, c.priority) << c.draw;
    EXPECT_EQ(got.view, c.view) << c.draw;
  }
}

TEST(PriorityLoad, LoadsAlwaysSumToAHundred) {
  constexpr unsigned kSeed = 7;
  std::mt19937 generator(kSeed);
  const auto up_to = [&](unsigned most) {
    return std::uniform_int_distribution<unsigned>(0, most)(generator);
  };
  for (int i = 0; i < 5000 && !HasFailure(); ++i) {
    std::vector<PriorityHosts> given(1 + up_to(3));
    for (PriorityHosts& priority : given) {
      HostCounts& count = priority.hosts.count;
      count = {.total = 0, .healthy = up_to(5), .degraded = up_to(5), .excluded = up_to(2)};
      count.total = count.healthy + count.degraded + count.excluded + up_to(5);
      priority.overprovisioning_factor = 100 + up_to(100);
    }
    unsigned sum = 0;
    for (const PriorityLoad& load : priority_loads(given, up_to(100))) {
      sum += load.healthy + load.degraded;
    }
    EXPECT_EQ(sum, 100u) << "seed " << kSeed << ", case " << i;
  }
}

}  // namespace
}  // namespace proxima::policy
