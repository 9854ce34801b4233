// SPDX-License-Identifier: Apache-2.0
// What `proxima check` looks at: one table, from which text, JSON and the reference page are made.
// A check has a number (its place in the table) for people and an id for scripts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace proxima::checks {

enum class Check : std::uint8_t {
  KernelVersion,
  NetAdmin,
  Nftables,
  Conntrack,
  ConntrackSettings,
  OomScore,
  CgroupVersion,
  ClockSynchronized,
  KubeProxyRules,
  EbpfPrograms,
  ApiReachable,
  ApiVersion,
  ApiLatency,
  ClockSkew,
  ControllerRights,
  ProxyRights,
  NodeZones,
  NodeCpu,
  SliceManagers,
  UpstreamController,
  KubeProxyDaemonSet,
  ServiceBypass,
  ControllerLease,
  ControllerDeployment,
  ProxyDaemonSet,
  OneProxyPerNode,
  Versions,
};

enum class Group : std::uint8_t { Node, Api, Rights, Cluster, Proxima };
inline constexpr Group kGroups[] = {Group::Node, Group::Api, Group::Rights, Group::Cluster,
                                    Group::Proxima};
std::string_view to_text(Group group);

// Before: whether Proxima can be installed. After: the same, and whether it works.
enum class Stage : std::uint8_t { Before, After };
enum class Component : std::uint8_t { Both, Controller, Proxy };
std::string_view to_text(Component component);

struct CheckText {
  Check check;
  std::string_view id;
  Group group;
  Stage stage;              // After: there is nothing to check before Proxima is installed
  Component component;      // whom it concerns
  std::string_view title;   // what is so when it passes
  std::string_view remedy;  // what to do when it does not; one sentence
  std::string_view page;    // that says more, from the top of the repository
};

// In the order of the enumerators.
std::span<const CheckText> all_checks();
const CheckText& text_of(Check check);
// From 1.
std::size_t number_of(Check check);

// Which checks are wanted.
struct Scope {
  Stage stage = Stage::After;
  Component component = Component::Both;
  bool node = true;  // those of this node
  bool api = true;   // those that ask the API server

  bool includes(const CheckText& text) const;
};
std::vector<Check> checks_in(const Scope& scope);

}  // namespace proxima::checks
