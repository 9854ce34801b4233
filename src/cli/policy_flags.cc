// SPDX-License-Identifier: Apache-2.0
#include "cli/policy_flags.h"

#include "cli/value_rows.h"
#include "core/model/limits.h"
#include "core/policy/policy_names.h"

namespace proxima::cli {
namespace {

using model::Bounded;
using model::limit_of;

constexpr const char* kPolicy = "Policy";
constexpr std::uint64_t kMostLocalEndpoints = limit_of(Bounded::MinLocalEndpoints).most_count();
constexpr std::uint64_t kLargestCluster = limit_of(Bounded::ClusterSize).most_count();

FlagRows auto_flags(policy::AutoOptions& options) {
  return {
      value_row("--auto-start", "PERCENT", kPolicy, options.start_below, parse_threshold,
                "auto: hints begin when the expected overload stays within this"),
      value_row("--auto-stop", "PERCENT", kPolicy, options.stop_above, parse_threshold,
                "auto: hints end when the expected overload exceeds this"),
      choice_row("--missing-node-data", kPolicy, options.missing, kMissingNodeData,
                 "auto: what a node without a zone or CPU means: no hints, the CPU of one core, or "
                 "nothing at all"),
  };
}

FlagRows demand_flags(PolicyOptions& options) {
  return {
      checked_row("--demand", "cpu|nodes|clients=WORKLOAD|measured", kPolicy, options.demand,
                  policy::parse_demand,
                  "Where traffic starts: in proportion to allocatable CPU, to nodes, to the ready "
                  "Pods of a client workload, or as measured"),
      text_row(
          "--measured", "FILE", kPolicy, options.measured,
          "Traffic by zone for demand measured: a file, or zone=number,zone=number; without it "
          "the annotation proxima.io/traffic of the Nodes counts"),
  };
}

FlagRow topology_keys_flag(std::vector<std::string>& target) {
  FlagRow row = list_row("--topology-keys", "KEY", kPolicy, target,
                         "Keys for policy topology-keys where a service lists none");
  row.repeat = Repeat::InOneText;
  return row;
}

}  // namespace

FlagRows policy_flags(PolicyOptions& options) {
  FlagRows rows = {
      value_row("--default-policy", "POLICY:" + policy::policy_names("|"), kPolicy,
                options.default_policy, parse_policy_name,
                "Policy of services that ask for none themselves"),
      topology_keys_flag(options.topology_keys),
  };
  append(rows, auto_flags(options.auto_options));
  append(rows,
         {
             value_row("--feature-gates", "GATE=BOOL", kPolicy, options.gates,
                       policy::parse_feature_gates,
                       "Parts of Kubernetes that are switched off, comma-separated; all are on "
                       "unless named. Gates: " +
                           policy::feature_gate_names()),
             count_row("--min-local-endpoints", kPolicy, options.min_local_endpoints,
                       {1, kMostLocalEndpoints},
                       "balanced: endpoints a zone needs before its traffic prefers to stay"),
             switch_row("--node-first", kPolicy, options.node_first,
                        "balanced: fill the own node first"),
         });
  append(rows, demand_flags(options));
  return rows;
}

FlagRow overload_flag(PolicyOptions& options) {
  return value_row("--overload", "PERCENT", kPolicy, options.overload, policy::parse_overload,
                   "balanced: how far above its fair share an endpoint may get (20%, 0.2, inf)");
}

FlagRows zone_aware_flags(policy::ZoneAwareConfig& config) {
  const std::string group = "Policy zone-aware";
  return {
      count_row("--zone-aware-min-cluster-size", group, config.min_cluster_size,
                {0, kLargestCluster}, "Ready endpoints below which zones are not looked at"),
      value_row("--zone-aware-routing-enabled", "PERCENT", group, config.routing_enabled_percent,
                parse_percent, "Share of the requests that zone aware routing applies to"),
      count_row("--zone-aware-force-local-min-size", group, config.force_local_zone_min_size,
                {0, kLargestCluster},
                "Keep all traffic in a zone with at least this many ready endpoints"),
      choice_row("--zone-aware-basis", group, config.basis, kLocalityBases,
                 "Count endpoints, or sum their weights"),
      value_row("--zone-aware-panic-threshold", "PERCENT", group, config.panic_threshold_percent,
                parse_percent, "Share of ready endpoints below which all are used"),
      switch_row("--zone-aware-fail-on-panic", group, config.fail_traffic_on_panic,
                 "Fail traffic in panic instead"),
      switch_row("--zone-aware-require-equal-zones", group, config.require_equal_zone_number,
                 "Require the same number of zones on both sides, as Envoy did until 1.27"),
  };
}

}  // namespace proxima::cli
