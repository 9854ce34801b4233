// SPDX-License-Identifier: Apache-2.0
// What others do when nodes of a lab come, go, or lose their power.
#pragma once

#include <functional>
#include <string>

#include "agents/lab_ports.h"

namespace proxima::agents {

// Called by the agents' thread; none of them may call the LabCluster. A hook that is empty is not
// called.
struct LabHooks {
  // Its namespace is there: time for its proxy and relays.
  std::function<void(const std::string& node)> node_added;
  // Its namespace is about to go.
  std::function<void(const std::string& node)> node_removed;
  // Off: its cable is down already, its proxy must die. On: the cable is up again.
  std::function<void(const std::string& node, Power power)> node_power;
  // Whether the node's proxy has its rules: clients of the node make no requests before. Asked
  // again a few times a second until it says so. Empty: always.
  std::function<bool(const std::string& node)> proxy_ready;
};

}  // namespace proxima::agents
