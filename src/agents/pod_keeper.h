// SPDX-License-Identifier: Apache-2.0
// Does for every Pod of the lab what pod_duty() says: gives it a node, a network and a program,
// tells the API, and takes it all away again. For one thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "agents/agent_pass.h"
#include "agents/node_duty.h"
#include "agents/place_pod.h"
#include "agents/pod_duty.h"

namespace proxima::agents {

class PodKeeper {
 public:
  explicit PodKeeper(const AgentParts& parts) : parts_(parts) {}

  // Nodes by name, and how their Pods see those that are not among them.
  struct NodesSeen {
    const std::map<std::string, LabNode>& lab;
    const std::map<std::string, Clock::SteadyTime>& gone;  // since when
  };
  void pass(const AgentView& view, const NodesSeen& nodes, Agenda& agenda);

  // The power of a node is gone: what runs there dies at once, and its network stays.
  void cut_node(const std::string& node);
  // The machine goes, with the networks of its Pods.
  void drop_node(const std::string& node);
  // Everything that runs, at the end.
  void drop_all();

  const std::map<std::string, RunningPod>& running() const { return running_; }

 private:
  using PodRef = Ref<const kube::PodRecord>;
  struct Unplaced {
    Clock::SteadyTime since;
    bool told = false;
  };
  struct Pass {
    const AgentView& view;
    const NodesSeen& nodes;
    Agenda& agenda;
    std::vector<NodeRoom> rooms;                       // of nodes with power, by name
    std::map<std::string, Unplaced> unplaced;          // becomes unplaced_
    std::map<std::string, Clock::SteadyTime> orphans;  // becomes orphans_
    std::map<std::string, std::string> assumed;        // becomes assumed_
  };

  void count_rooms(Pass& pass) const;
  void tend(Pass& pass, const kube::PodRecord& pod);
  NodeState state_of(Pass& pass, const kube::PodRecord& pod) const;
  PodFacts facts_of(Pass& pass, const std::string& key, const kube::PodRecord& pod);
  void note_end(Pass& pass, const std::string& key, const kube::PodRecord& pod);
  void place(Pass& pass, const kube::PodRecord& pod);
  void tell_unplaced(Pass& pass, const kube::PodRecord& pod, const std::string& why);
  void start(Pass& pass, const kube::PodRecord& pod, std::uint16_t port);
  Status start_running(const Pass& pass, const kube::PodRecord& pod, std::uint16_t port);
  void report(const Pass& pass, const kube::PodRecord& pod);
  void end(const Pass& pass, const kube::PodRecord& pod);
  void remove_object(const Pass& pass, const kube::PodRecord& pod);
  void discard(const std::string& key);
  void serve_clients(Pass& pass);

  AgentParts parts_;
  std::map<std::string, RunningPod> running_;
  std::map<std::string, Unplaced> unplaced_;          // by uid
  std::map<std::string, Clock::SteadyTime> orphans_;  // by uid: since when their node is missing
  std::map<std::string, std::string> assumed_;        // by uid: the node, until the cache shows it
};

}  // namespace proxima::agents
