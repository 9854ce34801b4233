// SPDX-License-Identifier: Apache-2.0
// What has to be done for one node, by what the API says of it and what the lab knows: a node
// controller's decisions without its deeds. Pure.
#pragma once

#include <optional>
#include <string>

#include "agents/lab_ports.h"
#include "agents/pod_duty.h"
#include "base/clock.h"
#include "kube/node_record.h"

namespace proxima::agents {

// A node that was not heard of for so long is lost. Short, because whoever looks at a lab waits for
// it; clients bridge it by trying again.
inline constexpr std::chrono::milliseconds kLostAfter{800};

// A node of the lab as it is.
struct LabNode {
  std::string zone;
  MachineAddresses addresses;
  Power power = Power::On;
  Clock::SteadyTime off_since;  // without power: its last heartbeat
};

enum class NodeDuty {
  None,
  Add,         // a machine, with its cable
  Forget,      // the machine goes, with everything on it
  ReportWell,  // Ready, at these addresses
  ReportLost,  // Ready: Unknown
};

// Null: there is no object; nothing is there of it.
NodeDuty node_duty(const kube::NodeRecord* node, const LabNode* lab, Clock::SteadyTime now);

// As its Pods see it; `present`: it has an object.
NodeState node_state(bool present, const LabNode* lab, Clock::SteadyTime now);

// A Node takes part when it says its zone.
Text zone_of(const kube::NodeRecord& node);

}  // namespace proxima::agents
