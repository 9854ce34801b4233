// SPDX-License-Identifier: Apache-2.0
#include "core/policy/feature_gates.h"

#include <algorithm>

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
    {"TopologyAwareHints", &FeatureGates::topology_aware_hints},
};

// The spellings that Go's strconv.ParseBool takes, as upstream's flag does.
Result<bool> parse_switch(std::string_view gate, std::string_view text) {
  for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"})
    if (text == yes) return true;
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"})
    if (text == no) return false;
  return Error{ErrorCode::InvalidInput, "feature gate " + std::string(gate) + ": \"" +
                                            std::string(text) + "\" is neither true nor false"};
}

Status set(FeatureGates& gates, std::string_view setting) {
  const std::size_t equals = setting.find('=');
  const std::string_view name = trimmed(setting.substr(0, equals), " ");
  if (equals == std::string_view::npos) {
    return Error{ErrorCode::InvalidInput, "\"" + std::string(name) + "\" has no value: write " +
                                              std::string(name) + "=true or " + std::string(name) +
                                              "=false"};
  }
  for (const Gate& gate : kGates) {
    if (gate.name != name) continue;
    auto value = parse_switch(name, trimmed(setting.substr(equals + 1), " "));
    if (!value) return std::move(value).error();
    gates.*gate.value = *value;
    return Unit{};
  }
  return Error{ErrorCode::InvalidInput,
               "\"" + std::string(name) +
                   "\" is not a known feature gate; there are: " + feature_gate_names()};
}

}  // namespace

Result<FeatureGates> parse_feature_gates(std::string_view text) {
  FeatureGates gates;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view setting = trimmed(text.substr(0, comma), " ");
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (setting.empty()) continue;
    auto status = set(gates, setting);
    if (!status) return std::move(status).error();
  }
  return gates;
}

FeatureGates known_feature_gates(const std::map<std::string, bool>& given) {
  FeatureGates gates;
  for (const Gate& gate : kGates) {
    const auto found = given.find(std::string(gate.name));
    if (found != given.end()) gates.*gate.value = found->second;
  }
  return gates;
}

bool is_feature_gate(std::string_view name) {
  return std::any_of(std::begin(kGates), std::end(kGates),
                     [&](const Gate& gate) { return gate.name == name; });
}

std::string feature_gate_names() {
  std::string out;
  for (const Gate& gate : kGates) out.append(out.empty() ? "" : ", ").append(gate.name);
  return out;
}

}  // namespace proxima::policy
