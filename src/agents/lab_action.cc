// SPDX-License-Identifier: Apache-2.0
#include "agents/lab_action.h"

#include <cmath>

#include "agents/number_text.h"

namespace proxima::agents {
namespace {

// Percentages as people write them: two digits after the point at most.
std::string percent_text(double share) {
  return number_text(std::round(share * 10'000) / 100) + "%";
}

struct Words {
  std::string operator()(const FailZone& action) const { return "fail-zone " + action.zone; }
  std::string operator()(const KillNode& action) const { return "kill-node " + action.node; }
  std::string operator()(const Heal& action) const {
    return action.target.name.empty() ? "heal" : "heal " + action.target.name;
  }
  std::string operator()(const AddNode& action) const { return "add-node " + action.zone; }
  std::string operator()(const Scale& action) const {
    std::string text = "scale " + action.service;
    for (const auto& [zone, count] : action.zones) text += " " + zone + "=" + std::to_string(count);
    return text;
  }
  std::string operator()(const SetDemand& action) const {
    std::string text = "demand";
    for (const auto& [zone, share] : action.zones) text += " " + zone + "=" + percent_text(share);
    return text;
  }
  std::string operator()(const SetRate& action) const {
    return "rate " + number_text(action.requests_per_second);
  }
  std::string operator()(const SetPolicy& action) const {
    std::string text = "policy " + action.service + " " + action.policy.value_or("none");
    if (action.overload) text += " --overload " + number_text(*action.overload);
    return text;
  }
};

struct Deeds {
  LabCluster& lab;

  Status operator()(const FailZone& action) const { return lab.fail_zone(action.zone); }
  Status operator()(const KillNode& action) const { return lab.kill_node(action.node); }
  Status operator()(const Heal& action) const { return lab.heal(action.target); }
  Status operator()(const AddNode& action) const {
    PROXIMA_TRY([[maybe_unused]] const std::string name, lab.add_node(action.zone), "lab");
    return Unit{};
  }
  Status operator()(const Scale& action) const { return lab.scale(action.service, action.zones); }
  Status operator()(const SetDemand& action) const { return lab.set_demand(action.zones); }
  Status operator()(const SetRate& action) const {
    return lab.set_rate(action.requests_per_second);
  }
  Status operator()(const SetPolicy& action) const {
    return lab.set_policy(action.service, action.policy, action.overload);
  }
};

}  // namespace

std::string to_text(const LabAction& action) { return std::visit(Words(), action); }

Status perform(LabCluster& lab, const LabAction& action) { return std::visit(Deeds{lab}, action); }

}  // namespace proxima::agents
