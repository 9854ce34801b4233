// SPDX-License-Identifier: Apache-2.0
#include "agents/node_duty.h"

#include <gtest/gtest.h>

#include <set>

#include "support/kube_records.h"
#include "support/words.h"

namespace proxima::agents {
namespace {

using std::chrono::milliseconds;
using testing::says;

// node: "-" none; else words of: ready, unready, zoneless, ending, moved (other addresses).
// lab: "-" nothing; else on, elsewhere (in another zone), or the milliseconds without power.
struct NodeDutyRow {
  const char* name;
  const char* node;
  const char* lab;
  NodeDuty duty;
  NodeState state;
};

const NodeDutyRow kNodeDuties[] = {
    {"was made by a user", "unready", "-", NodeDuty::Add, NodeState::Foreign},
    {"says no zone and takes no part", "unready zoneless", "-", NodeDuty::None, NodeState::Foreign},
    {"is there, and nobody knows", "unready", "on", NodeDuty::ReportWell, NodeState::On},
    {"is there, and everybody knows", "ready", "on", NodeDuty::None, NodeState::On},
    {"has other addresses than is said", "ready moved", "on", NodeDuty::ReportWell, NodeState::On},
    {"has just lost its power", "ready", "100", NodeDuty::None, NodeState::Off},
    {"was not heard of for long", "ready", "800", NodeDuty::ReportLost, NodeState::Lost},
    {"is known to be lost", "unready", "5000", NodeDuty::None, NodeState::Lost},
    {"was deleted", "-", "on", NodeDuty::Forget, NodeState::Gone},
    {"was deleted while it had no power", "-", "5000", NodeDuty::Forget, NodeState::Gone},
    {"is being deleted", "ready ending", "on", NodeDuty::Forget, NodeState::On},
    {"loses its zone", "ready zoneless", "on", NodeDuty::Forget, NodeState::On},
    {"moves to another zone", "ready", "elsewhere", NodeDuty::Forget, NodeState::On},
    {"never was", "-", "-", NodeDuty::None, NodeState::Gone},
};

TEST(NodeDuty, FollowsTheTable) {
  const Clock::SteadyTime now(milliseconds(100'000));
  std::set<NodeDuty> shown;
  for (const NodeDutyRow& row : kNodeDuties) {
    testing::RecordMaker maker;
    const std::string_view text = row.node;
    auto node = maker.node("node-1", says(text, "zoneless") ? "" : "topology.kubernetes.io/zone=a");
    node->ready = says(text, "ready");
    node->meta.terminating = says(text, "ending");
    node->internal_ips = {*IpAddress::parse(says(text, "moved") ? "10.9.9.9" : "192.168.1.2"),
                          *IpAddress::parse("fd00::2")};
    LabNode lab;
    const std::string_view state = row.lab;
    lab.zone = state == "elsewhere" ? "b" : "a";
    lab.addresses = {*IpAddress::parse("192.168.1.2"), *IpAddress::parse("fd00::2")};
    if (std::isdigit(state.front()) != 0) {
      lab.power = Power::Off;
      lab.off_since = now - milliseconds(std::stoi(row.lab));
    }
    const kube::NodeRecord* present = text == "-" ? nullptr : node.get();
    const LabNode* known = state == "-" ? nullptr : &lab;
    EXPECT_EQ(node_duty(present, known, now), row.duty) << row.name;
    EXPECT_EQ(node_state(present != nullptr, known, now), row.state) << row.name;
    shown.insert(row.duty);
  }
  EXPECT_EQ(shown.size(), 5U) << "every duty has a row";
}

}  // namespace
}  // namespace proxima::agents
