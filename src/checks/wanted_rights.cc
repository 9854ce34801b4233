// SPDX-License-Identifier: Apache-2.0
#include "checks/wanted_rights.h"

namespace proxima::checks {
namespace {

constexpr std::string_view kEventsGroup = "events.k8s.io";
constexpr std::string_view kDiscoveryGroup = "discovery.k8s.io";
constexpr std::string_view kLeaseGroup = "coordination.k8s.io";

constexpr RightRule kRules[] = {
    {Component::Controller, "", "namespaces nodes pods services", "get list watch"},
    {Component::Controller, kDiscoveryGroup, "endpointslices",
     "get list watch create update delete"},
    {Component::Controller, "", "services/finalizers", "update"},
    {Component::Controller, "", "services/status", "patch"},
    {Component::Controller, "", "events", "create patch update"},
    {Component::Controller, kEventsGroup, "events", "create patch update"},
    {Component::Controller, "authentication.k8s.io", "tokenreviews", "create"},
    {Component::Controller, "authorization.k8s.io", "subjectaccessreviews", "create"},
    {Component::Controller, kLeaseGroup, "leases", "create", true},
    {Component::Controller, kLeaseGroup, "leases", "get update", true, "proxima-controller"},
    {Component::Controller, "", "configmaps", "create", true},
    {Component::Controller, "", "configmaps", "get patch", true, "proxima-reports"},
    {Component::Proxy, "", "nodes services", "list watch"},
    {Component::Proxy, kDiscoveryGroup, "endpointslices", "list watch"},
    {Component::Proxy, "networking.k8s.io", "servicecidrs", "list watch"},
    {Component::Proxy, "", "events", "create patch update"},
    {Component::Proxy, kEventsGroup, "events", "create patch update"},
    {Component::Proxy, "authentication.k8s.io", "tokenreviews", "create"},
    {Component::Proxy, "authorization.k8s.io", "subjectaccessreviews", "create"},
    {Component::Proxy, "", "", "post", false, "", "/node-reports"},
    {Component::Proxy, "", "configmaps", "get", true, "proxima-reports"},
};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    words.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return words;
}

}  // namespace

std::span<const RightRule> right_rules() { return kRules; }

std::string to_text(const Right& right) {
  std::string text = right.verb + " ";
  if (!right.path.empty()) return text + right.path;
  text += right.resource;
  if (!right.group.empty()) text += "." + right.group;
  if (!right.name.empty()) text += " " + right.name;
  if (!right.ns.empty()) text += " in " + right.ns;
  return text;
}

std::vector<Right> wanted_rights(Component component, std::string_view ns) {
  std::vector<Right> rights;
  for (const RightRule& rule : kRules) {
    if (component != Component::Both && rule.component != component) continue;
    for (const std::string& verb : words_of(rule.verbs)) {
      Right right{.component = rule.component, .verb = verb, .group = std::string(rule.group)};
      right.ns = rule.of_namespace ? ns : std::string_view();
      right.name = rule.name;
      for (const std::string& path : words_of(rule.paths)) {
        right.path = path;
        rights.push_back(right);
      }
      for (const std::string& resource : words_of(rule.resources)) {
        right.resource = resource;
        rights.push_back(right);
      }
    }
  }
  return rights;
}

}  // namespace proxima::checks
