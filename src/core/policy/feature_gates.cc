// SPDX-License-Identifier: Apache-2.0
#include "core/policy/feature_gates.h"

#include <utility>

#include "base/ascii.h"

namespace proxima::policy {
namespace {

struct Gate {
  std::string_view name;
  bool FeatureGates::*value;
};
constexpr Gate kGates[] = {
    {"PreferSameTrafficDistribution", &FeatureGates::prefer_same_traffic_distribution},
    {"ServiceTopology", &FeatureGates::service_topology},
    {"ServiceTrafficDistribution", &FeatureGates::service_traffic_distribution},
    {"ServiceTrafficPolicy", &FeatureGates::service_traffic_policy},
    {"TopologyAwareHints", &FeatureGates::topology_aware_hints},
};

// As KEP-2433 and Kubernetes have them.
struct Dependency {
  std::string_view gate;
  std::string_view on;
};
constexpr Dependency kDependencies[] = {
    {"PreferSameTrafficDistribution", "ServiceTrafficDistribution"},
    {"TopologyAwareHints", "ServiceTrafficPolicy"},
};

const Gate* find_gate(std::string_view name) {
  for (const Gate& gate : kGates)
    if (gate.name == name) return &gate;
  return nullptr;
}

// The spellings that Go's strconv.ParseBool takes, as upstream's flag does.
Result<bool> parse_switch(std::string_view gate, std::string_view text) {
  for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"})
    if (text == yes) return true;
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"})
    if (text == no) return false;
  return Error{ErrorCode::InvalidInput, "feature gate " + std::string(gate) + ": \"" +
                                            std::string(text) + "\" is neither true nor false"};
}

Result<std::pair<std::string, bool>> parse_setting(std::string_view setting) {
  const std::size_t equals = setting.find('=');
  const std::string name(trimmed(setting.substr(0, equals), " "));
  if (equals == std::string_view::npos) {
    return Error{ErrorCode::InvalidInput,
                 "\"" + name + "\" has no value: write " + name + "=true or " + name + "=false"};
  }
  if (find_gate(name) == nullptr) {
    return Error{
        ErrorCode::InvalidInput,
        "\"" + name + "\" is not a known feature gate; there are: " + feature_gate_names()};
  }
  auto value = parse_switch(name, trimmed(setting.substr(equals + 1), " "));
  if (!value) return std::move(value).error();
  return std::pair(name, *value);
}

}  // namespace

Result<FeatureGates> parse_feature_gates(std::string_view text) {
  std::map<std::string, bool> given;
  while (!text.empty()) {
    const std::string_view setting = take_until(text, ',', " ");
    if (setting.empty()) continue;
    auto parsed = parse_setting(setting);
    if (!parsed) return std::move(parsed).error();
    given[parsed->first] = parsed->second;
  }
  return known_feature_gates(given);
}

Result<FeatureGates> known_feature_gates(const std::map<std::string, bool>& given) {
  FeatureGates gates;
  for (const Gate& gate : kGates) {
    const auto found = given.find(std::string(gate.name));
    if (found != given.end()) gates.*gate.value = found->second;
  }
  for (const Dependency& dependency : kDependencies) {
    if (gates.*find_gate(dependency.on)->value) continue;
    const auto asked = given.find(std::string(dependency.gate));
    if (asked != given.end() && asked->second) {
      return Error{ErrorCode::InvalidInput, "feature gate " + std::string(dependency.gate) +
                                                " depends on " + std::string(dependency.on) +
                                                ", which is off"};
    }
    gates.*find_gate(dependency.gate)->value = false;
  }
  return gates;
}

bool is_feature_gate(std::string_view name) { return find_gate(name) != nullptr; }

std::string feature_gate_names() {
  std::string out;
  for (const Gate& gate : kGates) out.append(out.empty() ? "" : ", ").append(gate.name);
  return out;
}

}  // namespace proxima::policy
