// SPDX-License-Identifier: Apache-2.0
// Does for every node of the lab what node_duty() says, and gives and takes power. For one thread.
#pragma once

#include <map>
#include <string>

#include "agents/agent_pass.h"
#include "agents/demand_shares.h"
#include "agents/node_duty.h"
#include "agents/pod_keeper.h"

namespace proxima::agents {

// Nodes that should have no power, and since when.
using PowerCuts = std::map<std::string, Clock::SteadyTime>;

class NodeKeeper {
 public:
  NodeKeeper(const AgentParts& parts, PodKeeper& pods) : parts_(parts), pods_(pods) {}

  void pass(const AgentView& view, const PowerCuts& cuts, Agenda& agenda);

  // Writes onto every node that has power how much of the traffic starts on it, so that plans, here
  // and wherever the objects are read, are made for it.
  void publish_traffic(const AgentView& view, const DemandShares& demand);

  const std::map<std::string, LabNode>& nodes() const { return nodes_; }
  PodKeeper::NodesSeen seen() const { return {nodes_, gone_}; }

 private:
  void tend(const AgentView& view, const std::string& name);
  void add(const AgentView& view, const kube::NodeRecord& node);
  void forget(const AgentView& view, const std::string& name);
  void set_power(const AgentView& view, const std::string& name, const PowerCuts& cuts);
  void ensure_client(const AgentView& view, const std::string& name);
  void report(const AgentView& view, const kube::NodeRecord& node, NodeDuty duty);

  AgentParts parts_;
  PodKeeper& pods_;
  std::map<std::string, LabNode> nodes_;
  std::map<std::string, Clock::SteadyTime> gone_;  // nodes whose objects were deleted, since when
};

}  // namespace proxima::agents
