// SPDX-License-Identifier: Apache-2.0
#include "agents/pod_duty.h"

#include <gtest/gtest.h>

#include <set>

#include "support/kube_records.h"
#include "support/words.h"

namespace proxima::agents {
namespace {

using std::chrono::seconds;
using testing::says;

// pod: "-" none; else words of: free (no node), pending, ready, unready, failed, ending, moved
// (other addresses than what runs), new (another one of the same name).
// running: "-" nothing; else up, dead (no program), elsewhere; with "+3" it serves 3 s more.
struct PodDutyRow {
  const char* name;
  const char* pod;
  const char* running;
  NodeState node;
  PodDuty duty;
};

const PodDutyRow kPodDuties[] = {
    {"nothing at all", "-", "-", NodeState::On, PodDuty::None},
    {"is taken by force while it runs", "-", "up", NodeState::On, PodDuty::Discard},
    {"waits for a node", "free pending", "-", NodeState::Foreign, PodDuty::Place},
    {"is deleted before it had a node", "free pending ending", "-", NodeState::Foreign,
     PodDuty::None},
    {"was just placed", "pending", "-", NodeState::On, PodDuty::Start},
    {"was placed by somebody on a node that is not ours", "pending", "-", NodeState::Foreign,
     PodDuty::None},
    {"runs, and nobody knows", "pending", "up", NodeState::On, PodDuty::Report},
    {"runs, and everybody knows", "ready", "up", NodeState::On, PodDuty::None},
    {"is said to have other addresses", "ready moved", "up", NodeState::On, PodDuty::Report},
    {"is said to run after a restart of the lab", "ready", "-", NodeState::On, PodDuty::Start},
    {"was dead with its node, which is back", "unready", "dead", NodeState::On, PodDuty::Start},
    {"is back, and nobody knows", "unready", "up", NodeState::On, PodDuty::Report},
    {"is told to end, and goes on serving", "ready ending", "up+2", NodeState::On, PodDuty::None},
    {"has served long enough", "ready ending", "up+0", NodeState::On, PodDuty::End},
    {"ends without ever having run", "pending ending", "-", NodeState::On, PodDuty::End},
    {"has lost its node, unnoticed", "ready", "dead", NodeState::Off, PodDuty::None},
    {"has lost its node", "ready", "dead", NodeState::Lost, PodDuty::ReportLost},
    {"has lost its node, as is known", "unready", "dead", NodeState::Lost, PodDuty::None},
    {"cannot end while its node is lost", "unready ending", "dead+0", NodeState::Lost,
     PodDuty::None},
    {"is placed on a node without power", "pending", "-", NodeState::Lost, PodDuty::None},
    {"goes with its node", "ready", "up", NodeState::Gone, PodDuty::Remove},
    {"goes with its node though it may serve", "ready ending", "up+2", NodeState::Gone,
     PodDuty::Remove},
    {"was replaced by one of the same name", "new pending", "up", NodeState::On, PodDuty::Discard},
    {"runs on another node than it should", "ready", "elsewhere", NodeState::On, PodDuty::Discard},
    {"failed by somebody's word", "failed", "up", NodeState::On, PodDuty::Discard},
    {"failed, and nothing runs", "failed", "-", NodeState::On, PodDuty::None},
    {"should listen elsewhere", "ready", "up:9090", NodeState::On, PodDuty::Start},
};

const Clock::SteadyTime kPodDutyTime(seconds(1000));

Ref<kube::PodRecord> pod_of(std::string_view text) {
  testing::RecordMaker maker;
  auto pod = maker.pod("shop/web", "");
  if (says(text, "new")) pod->uid = Text("another");
  if (!says(text, "free")) pod->node = Text("node-1");
  pod->ready = says(text, "ready");
  if (says(text, "pending")) pod->phase = model::PodPhase::Pending;
  if (says(text, "failed")) pod->phase = model::PodPhase::Failed;
  pod->terminating = says(text, "ending");
  pod->addresses.add(*IpAddress::parse(says(text, "moved") ? "10.9.9.9" : "10.0.0.1"));
  pod->addresses.add(*IpAddress::parse("fd00::1"));
  return pod;
}

RunningPod running_of(std::string_view text) {
  RunningPod running;
  running.uid = "uid-of-shop/web";
  running.node = text.starts_with("elsewhere") ? "node-2" : "node-1";
  running.addresses = {*IpAddress::parse("10.0.0.1"), *IpAddress::parse("fd00::1")};
  running.port = text.starts_with("dead") ? 0 : 8080;
  if (text.ends_with(":9090")) running.port = 9090;
  const auto plus = text.find('+');
  if (plus != std::string_view::npos)
    running.serves_until = kPodDutyTime + seconds(std::stoi(std::string(text.substr(plus + 1))));
  return running;
}

TEST(PodDuty, FollowsTheTable) {
  std::set<PodDuty> shown;
  for (const PodDutyRow& row : kPodDuties) {
    const auto pod = pod_of(row.pod);
    const RunningPod running = running_of(row.running);
    PodFacts facts;
    if (std::string_view(row.pod) != "-") facts.pod = pod.get();
    if (std::string_view(row.running) != "-") facts.running = &running;
    facts.node = row.node;
    facts.port = 8080;
    facts.now = kPodDutyTime;
    EXPECT_EQ(pod_duty(facts), row.duty) << row.name;
    shown.insert(row.duty);
  }
  EXPECT_EQ(shown.size(), 8U) << "every duty has a row";
}

TEST(PodDuty, AnEndingPodServesForItsGraceWithinBounds) {
  const Clock::WallTime now{seconds(5000)};
  const auto serves = [&](int grace) {
    auto pod = pod_of("ready ending");
    pod->ends_at = 5000 + grace;
    return std::chrono::duration_cast<seconds>(serving_time(*pod, now)).count();
  };
  EXPECT_EQ(serves(4), 4);
  EXPECT_EQ(serves(30), 5) << "a program ends when it is asked to";
  EXPECT_EQ(serves(1), 2) << "proxies have to hear of it first";
  EXPECT_EQ(serves(-10), 2) << "somebody's clock is wrong";
}

}  // namespace
}  // namespace proxima::agents
