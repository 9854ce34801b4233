// SPDX-License-Identifier: Apache-2.0
// What can be done to a lab, as values: the entries of a scenario's timeline.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "agents/lab_cluster.h"

namespace proxima::agents {

struct FailZone {
  std::string zone;
};
struct KillNode {
  std::string node;
};
struct Heal {
  HealTarget target;
};
struct AddNode {
  std::string zone;
};
struct Scale {
  std::string service;
  std::map<std::string, std::size_t> zones;
};
struct SetDemand {
  std::map<std::string, double> zones;
};
struct SetRate {
  double requests_per_second = 0;
};
struct SetPolicy {
  std::string service;
  std::optional<std::string> policy;
  std::optional<double> overload;
};
using LabAction =
    std::variant<FailZone, KillNode, Heal, AddNode, Scale, SetDemand, SetRate, SetPolicy>;

// As `proxima lab` takes it: "scale shop/even zone-a=4".
std::string to_text(const LabAction& action);
Status perform(LabCluster& lab, const LabAction& action);

}  // namespace proxima::agents
