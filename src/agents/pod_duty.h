// SPDX-License-Identifier: Apache-2.0
// What has to be done for one Pod, by what the API says of it and what runs of it. Pure: a
// kubelet's decisions without its deeds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "agents/lab_ports.h"
#include "base/clock.h"
#include "kube/pod_record.h"

namespace proxima::agents {

// A Pod that is told to end goes on serving, so that every proxy has time to hear of it, for its
// grace, but within these: its program is one that ends when it is asked to.
inline constexpr std::chrono::seconds kServingAfterDeletionMin{2};
inline constexpr std::chrono::seconds kServingAfterDeletionMax{5};

enum class NodeState {
  Foreign,  // no node of the lab, or not yet: not our business
  Gone,     // was one, and its object is deleted
  On,
  Off,   // without power, and nobody has noticed yet
  Lost,  // without power for so long that everybody knows
};

// What there is of a Pod in the lab.
struct RunningPod {
  std::string uid;
  std::string node;
  MachineAddresses addresses;
  std::uint16_t port = 0;  // where its backend listens; 0: it has none, or it is dead
  bool client_on = false;  // it makes requests
  std::optional<Clock::SteadyTime> serves_until;  // it was told to end
};

enum class PodDuty {
  None,
  Place,       // find a node
  Start,       // network and program
  Report,      // it runs and is Ready, at these addresses
  ReportLost,  // it is not Ready
  End,         // finish what is under way, then the network goes, then the object
  Discard,     // nobody wants what runs any more: it dies at once
  Remove,      // the object of a Pod whose node is gone
};

struct PodFacts {
  const kube::PodRecord* pod = nullptr;  // null: there is no object
  const RunningPod* running = nullptr;   // null: nothing runs
  NodeState node = NodeState::Foreign;   // of the Pod's node
  std::uint16_t port = 0;                // where its backend should listen
  Clock::SteadyTime now;
};

PodDuty pod_duty(const PodFacts& facts);

// How long a Pod serves that was first seen to end `now`.
std::chrono::milliseconds serving_time(const kube::PodRecord& pod, Clock::WallTime now);

}  // namespace proxima::agents
