// SPDX-License-Identifier: Apache-2.0
// Which policy a Service gets, and from where: its annotations and fields, its Namespace, the
// cluster default, in the order that upstream gave to its own names. Bad values are refused with a
// reason and the next source is asked; nothing is ever silently misread.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/model/snapshot.h"
#include "core/policy/auto_hints.h"
#include "core/policy/feature_gates.h"
#include "core/policy/reason.h"
#include "core/policy/require_zone.h"
#include "core/policy/zone_aware.h"

namespace proxima::policy {

enum class PolicyKind : std::uint8_t {
  ClusterWide,  // no policy: every ready endpoint alike
  TopologyKeys,
  Auto,
  PreferSameZone,
  PreferSameNode,
  ZoneAware,
  Balanced,
  RequireZone,
};
inline constexpr PolicyKind kAllPolicies[] = {
    PolicyKind::ClusterWide,    PolicyKind::TopologyKeys,   PolicyKind::Auto,
    PolicyKind::PreferSameZone, PolicyKind::PreferSameNode, PolicyKind::ZoneAware,
    PolicyKind::Balanced,       PolicyKind::RequireZone};

// "cluster-wide", "topology-keys", "auto", "prefer-same-zone", …
std::string_view to_text(PolicyKind kind);
// Also upstream's spellings: "Auto", "PreferClose", "PreferSameZone", "PreferSameNode",
// "RequireZone".
std::optional<PolicyKind> parse_policy(std::string_view text);

// Where the traffic of a zone without ready endpoints goes first, with `prefer-same-zone` and
// `prefer-same-node`.
enum class Fallback : std::uint8_t { Everywhere, Region };

enum class DemandSource : std::uint8_t { Cpu, Nodes, Clients, Measured };

struct DemandSetting {
  DemandSource source = DemandSource::Cpu;
  // For Clients: "namespace/Kind/name" or "Kind/name" or "name" of the workload whose ready Pods
  // are the clients (see client_workload); empty otherwise. Borrowed from the snapshot or the
  // command line.
  std::string_view clients = {};
};

// "cpu", "nodes", "measured", "clients=WORKLOAD".
Result<DemandSetting> parse_demand(std::string_view text);
// "NAMESPACE/Kind/name" of what DemandSetting::clients names: the namespace is that of the Service
// unless said, the kind Deployment.
std::string client_workload(std::string_view clients, std::string_view service_namespace);
// "20%", "0.2", "inf": a bound on overload, at least 0.
Result<double> parse_overload(std::string_view text);
// Comma-separated keys; the rules of the historical API (k8s 1.17 to 1.21).
// nullopt: valid.
std::optional<Note> check_topology_keys(const std::vector<std::string_view>& keys,
                                        bool external_policy_local);

struct Settings {
  PolicyKind policy = PolicyKind::ClusterWide;
  double overload = 0.2;  // θ of `balanced`; infinity allowed
  DemandSetting demand;
  std::uint32_t min_local_endpoints = 1;
  bool node_first = false;      // `balanced`: fill the own node first
  bool panic_uses_all = false;  // `zone-aware`: unready endpoints too, in panic
  Fallback fallback = Fallback::Everywhere;
  std::optional<FailoverBudget> failover;       // `require-zone`: none: strict
  std::vector<std::string_view> topology_keys;  // for TopologyKeys
  AutoOptions auto_options;
  ZoneAwareConfig zone_aware;
  FeatureGates gates;  // of the cluster; topology_aware_hints is told to auto_options too
};

struct ResolvedSettings {
  Settings settings;
  Note from;                // where the policy came from
  std::vector<Note> chain;  // what else was looked at and why it did not count; strongest first
  bool accepted = true;     // false: something the user wrote was refused
};

// `defaults` is the cluster default; `forced` (from `compare`) goes before everything and keeps
// only what the Service says about itself beside the policy name (keys, overload, demand).
ResolvedSettings resolve_settings(const model::Snapshot& snapshot, const model::Service& service,
                                  const Settings& defaults, std::optional<PolicyKind> forced);

// Whether node proxies look at the hints of the Service's slices: not with the gate
// TopologyAwareHints off, and with ServiceTrafficDistribution off only where an annotation asks for
// hints.
bool uses_hints(const model::Snapshot& snapshot, const model::Service& service,
                const FeatureGates& gates);

}  // namespace proxima::policy
