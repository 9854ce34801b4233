// SPDX-License-Identifier: Apache-2.0
// What a lab looks like at one moment: what the API says of it, and what only the lab knows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "agents/lab_ports.h"

namespace proxima::agents {

struct LabNodeStatus {
  std::string name;
  std::string zone;
  std::string address;  // IPv4; empty: not there yet
  Power power = Power::On;
  bool ready = false;  // as the API says
  bool cordoned = false;
};

struct LabZoneStatus {
  std::string name;
  bool failed = false;  // it has nodes, and every one of them is without power
  double demand = 0;    // its share of the requests; they add up to 1
  std::size_t nodes = 0;
};

struct LabPodStatus {
  std::string ns;
  std::string name;
  std::string node;  // empty: not placed yet
  std::string zone;
  std::string address;  // IPv4; empty: none yet
  bool ready = false;
  bool terminating = false;
  bool client = false;                // makes requests instead of answering them
  std::vector<std::string> services;  // that select it: "shop/even"
};

// Everything in the order of its names.
struct LabStatus {
  std::vector<LabNodeStatus> nodes;
  std::vector<LabZoneStatus> zones;
  std::vector<LabPodStatus> pods;
  double requests_per_second = 0;
};

}  // namespace proxima::agents
