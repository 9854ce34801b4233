// SPDX-License-Identifier: Apache-2.0
#include "core/policy/reason.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace proxima::policy {
namespace {

using enum Severity;

// clang-format off
constexpr ReasonText kReasons[] = {
    {Reason::PolicyFromServiceAnnotation, Good, "policy_from_service_annotation",
     "the Service's annotation proxima.io/policy chooses {subject}", ""},
    {Reason::PolicyFromTopologyKeys, Good, "policy_from_topology_keys",
     "the Service lists topology keys, the first is {subject}", ""},
    {Reason::PolicyFromTopologyAnnotation, Good, "policy_from_topology_annotation",
     "the Service's annotation {subject} asks for auto", ""},
    {Reason::PolicyFromTrafficPolicyField, Good, "policy_from_traffic_policy_field",
     "the Service's field spec.trafficPolicy: {subject} is an older name of auto", ""},
    {Reason::PolicyFromTrafficDistribution, Good, "policy_from_traffic_distribution",
     "the Service's field spec.trafficDistribution is {subject}", ""},
    {Reason::PolicyFromNamespace, Good, "policy_from_namespace",
     "the Namespace's annotation proxima.io/policy chooses {subject}", ""},
    {Reason::PolicyFromClusterDefault, Good, "policy_from_cluster_default",
     "neither Service nor Namespace says anything; the cluster default is {subject}", ""},
    {Reason::PolicyFromCommandLine, Good, "policy_from_command_line",
     "{subject} was asked for on the command line, for every Service", ""},
    {Reason::NothingSaid, Info, "nothing_said",
     "neither Service, Namespace nor cluster default asks for a policy",
     "annotate the Service with proxima.io/policy: balanced, or set spec.trafficDistribution"},
    {Reason::NothingElseSaid, Info, "nothing_else_said",
     "what was asked for is refused and nothing else asks for a policy, so every ready endpoint is "
     "used alike",
     "correct what is refused"},
    {Reason::DeprecatedAnnotationWins, Info, "deprecated_annotation_wins",
     "annotation service.kubernetes.io/topology-aware-hints is present, so "
     "service.kubernetes.io/topology-mode is not looked at",
     "remove the deprecated annotation service.kubernetes.io/topology-aware-hints"},
    {Reason::TopologyAnnotationDisables, Info, "topology_annotation_disables",
     "annotation {subject} is neither Auto nor auto, so it asks for nothing",
     "set the annotation service.kubernetes.io/topology-mode to Auto, or remove it"},
    {Reason::OverriddenByStrongerSetting, Info, "overridden_by_stronger_setting",
     "{subject} is set too, but a stronger setting decides",
     "remove the setting that should not count"},
    {Reason::FeatureGateOff, Info, "feature_gate_off",
     "what the feature gate {subject} switches off is set, and does not count",
     "drop --feature-gates {subject}=false"},
    {Reason::ConflictingTopologyAnnotations, Refused, "conflicting_topology_annotations",
     "annotations topology-aware-hints and topology-mode are both set and differ",
     "keep only service.kubernetes.io/topology-mode"},
    {Reason::UnknownPolicy, Refused, "unknown_policy",
     "\"{subject}\" is no policy; the next source is asked",
     "use one of: cluster-wide, topology-keys, auto, prefer-same-zone, prefer-same-node, "
     "zone-aware, balanced, require-zone"},
    {Reason::UnknownTrafficDistribution, Refused, "unknown_traffic_distribution",
     "spec.trafficDistribution: \"{subject}\" is not known here",
     "use PreferSameZone, PreferSameNode, PreferClose or proxima.io/POLICY"},
    {Reason::UnknownTrafficPolicy, Refused, "unknown_traffic_policy",
     "spec.trafficPolicy: \"{subject}\" is not known here",
     "use PreferZone, or better the annotation service.kubernetes.io/topology-mode: Auto"},
    {Reason::InvalidOverload, Refused, "invalid_overload",
     "proxima.io/overload: \"{subject}\" is not a bound on overload; the default is used",
     "write a percentage such as 20%, a number such as 0.2, or inf"},
    {Reason::InvalidDemand, Refused, "invalid_demand",
     "proxima.io/demand: \"{subject}\" is not a source of demand; the default is used",
     "write cpu, nodes, measured or clients=WORKLOAD"},
    {Reason::InvalidMinLocalEndpoints, Refused, "invalid_min_local_endpoints",
     "proxima.io/min-local-endpoints: \"{subject}\" is not a positive number; the default is used",
     "write a whole number of at least 1"},
    {Reason::InvalidNodeFirst, Refused, "invalid_node_first",
     "proxima.io/node-first: \"{subject}\" is neither true nor false; the default is used",
     "write true or false"},
    {Reason::InvalidPanic, Refused, "invalid_panic",
     "proxima.io/panic: \"{subject}\" is neither ready nor all; the default is used",
     "write ready or all"},
    {Reason::InvalidAutoThreshold, Refused, "invalid_auto_threshold",
     "proxima.io/auto-start, proxima.io/auto-stop: \"{subject}\" is not a threshold; the default is "
     "used",
     "write a percentage such as 20% or a number such as 0.2"},
    {Reason::InvalidFailover, Refused, "invalid_failover",
     "proxima.io/failover: \"{subject}\" is not a failover budget; the default is used",
     "write none, min-endpoints=NUMBER, for=DURATION, or both as in min-endpoints=2,for=10m"},
    {Reason::InvalidFallback, Refused, "invalid_fallback",
     "proxima.io/fallback: \"{subject}\" is neither region nor everywhere; the default is used",
     "write region or everywhere"},
    {Reason::TooManyTopologyKeys, Refused, "too_many_topology_keys",
     "{count} topology keys are listed, {limit_count} at most are allowed", "list fewer keys"},
    {Reason::DuplicateTopologyKey, Refused, "duplicate_topology_key",
     "topology key {subject} is listed twice", "list each key once"},
    {Reason::CatchAllNotLast, Refused, "catch_all_not_last",
     "topology key \"*\" may stand only at the end of the list", "move \"*\" to the end"},
    {Reason::InvalidTopologyKey, Refused, "invalid_topology_key",
     "topology key \"{subject}\" is not a valid label key",
     "use label keys such as topology.kubernetes.io/zone"},
    {Reason::TopologyKeysMissing, Refused, "topology_keys_missing",
     "policy topology-keys is chosen but no keys are listed, so every endpoint is used",
     "list keys in the annotation proxima.io/topology-keys, separated by commas"},
    {Reason::TopologyKeysWithExternalLocal, Refused, "topology_keys_with_external_local",
     "topology keys are forbidden together with externalTrafficPolicy: Local",
     "remove the keys, or set externalTrafficPolicy: Cluster"},
    {Reason::TopologyKeysWithPreferZone, Refused, "topology_keys_with_prefer_zone",
     "spec.trafficPolicy: PreferZone is forbidden together with topology keys",
     "keep one of the two"},
    {Reason::InternalTrafficPolicyLocal, Info, "internal_traffic_policy_local",
     "internalTrafficPolicy: Local keeps in-cluster traffic on its node whatever the policy says",
     "set internalTrafficPolicy: Cluster to let the policy decide"},
    {Reason::ExternalTrafficPolicyLocal, Info, "external_traffic_policy_local",
     "externalTrafficPolicy: Local keeps external traffic on the node it arrives at; the policy "
     "decides for in-cluster traffic only",
     "set externalTrafficPolicy: Cluster to let the policy decide"},
    {Reason::ExternalName, Info, "external_name",
     "an ExternalName Service has no endpoints to choose from", ""},
    {Reason::Headless, Info, "headless",
     "a headless Service is resolved by DNS; no proxy routes it", ""},
    {Reason::NoEndpointSlices, Broken, "no_endpoint_slices",
     "the Service has no EndpointSlices", "check the Service's selector, or add EndpointSlices"},

    {Reason::SlicesOfOthers, Info, "slices_of_others",
     "the Service's EndpointSlices are written by somebody else: their hints are followed, and none "
     "are planned", ""},
    {Reason::InternalError, Fallback, "internal_error",
     "an internal error stopped the work on this Service, so what is published stays as it is: "
     "{subject}",
     "report it as a bug, with the Service and its EndpointSlices; other Services are not concerned, "
     "and this one is tried again when something changes"},

    {Reason::ClusterWide, Good, "cluster_wide",
     "every ready endpoint is used alike, wherever it is", ""},
    {Reason::NoneReady, Broken, "none_ready", "no endpoint is ready",
     "find out why the Pods behind the Service are not ready"},

    {Reason::TopologyKeyMatched, Good, "topology_key_matched",
     "{count} endpoints have the node's value of {subject}", ""},
    {Reason::TopologyKeyCatchAll, Fallback, "topology_key_catch_all",
     "no key before \"*\" matched, so every endpoint is used",
     "run an endpoint nearer to this node"},
    {Reason::TopologyKeyNotOnNode, Info, "topology_key_not_on_node",
     "the node has no label {subject}, so that key is passed over",
     "label the node with {subject}"},
    {Reason::TopologyKeyNoEndpoint, Info, "topology_key_no_endpoint",
     "no endpoint has the node's value of {subject}", ""},
    {Reason::NoTopologyKeyMatched, Broken, "no_topology_key_matched",
     "no topology key matched and the list does not end in \"*\", so traffic is rejected",
     "end the list of topology keys with \"*\", or run an endpoint nearer to this node; a node proxy "
     "knows the region of its own zone only"},
    {Reason::NodeLabelsUnknownUsesAll, Fallback, "node_labels_unknown_uses_all",
     "the node's labels are unknown; the list ends in \"*\", so every endpoint is used",
     "give the node its topology labels"},
    {Reason::NodeLabelsUnknownRejects, Broken, "node_labels_unknown_rejects",
     "the node's labels are unknown and the list does not end in \"*\", so traffic is rejected",
     "give the node its topology labels, or end the list with \"*\""},

    {Reason::HintsAssigned, Good, "hints_assigned",
     "Topology Aware Hints has been enabled", ""},
    {Reason::HintsLentToOtherZones, Info, "hints_lent_to_other_zones",
     "{count} endpoints serve another zone than their own, because that zone has fewer endpoints "
     "than its share of CPU calls for",
     "spread the Pods over the zones in proportion to CPU, for example with "
     "topologySpreadConstraints"},
    {Reason::HintsKept, Good, "hints_kept",
     "the hints that are there are still right and stay as they are", ""},
    {Reason::HintsHeld, Info, "hints_held",
     "the expected overload of {share} is above the {limit} at which hints would start, but below "
     "the point at which they end, so they stay", ""},
    {Reason::NodeInformationMissing, Fallback, "node_information_missing",
     "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes",
     "label every worker node with topology.kubernetes.io/zone and let it report allocatable CPU; "
     "or choose --missing-node-data ignore; or use policy balanced, which needs neither"},
    {Reason::NodeWithoutZone, Fallback, "node_without_zone", "node {subject} has no zone",
     "label node {subject} with topology.kubernetes.io/zone"},
    {Reason::NodeWithoutCpu, Fallback, "node_without_cpu",
     "node {subject} reports no allocatable CPU", "find out why its kubelet reports none"},
    {Reason::NodeIgnored, Info, "node_ignored",
     "node {subject} lacks a zone or allocatable CPU and is left out of the count",
     "label node {subject} with topology.kubernetes.io/zone and let it report allocatable CPU"},
    {Reason::NodeCountedAsOneCore, Info, "node_counted_as_one_core",
     "node {subject} reports no allocatable CPU, so every node counts as one core",
     "let node {subject} report allocatable CPU"},
    {Reason::SingleZone, Fallback, "single_zone", "Nodes only ready in one zone",
     "nothing can be kept local with one zone; add nodes in another"},
    {Reason::TooFewEndpoints, Fallback, "too_few_endpoints",
     "Insufficient number of endpoints ({count} endpoints, {zones} zones)",
     "run at least one ready endpoint a zone, or use policy balanced, which has an answer for any "
     "number"},
    {Reason::OverloadTooHigh, Fallback, "overload_too_high",
     "Unable to allocate minimum required endpoints to each zone without exceeding overload "
     "threshold ({count} endpoints, {zones} zones)",
     "change the number of endpoints, raise --auto-start, or use policy balanced, which splits "
     "fractions and always has an answer"},
    {Reason::EndpointWithoutZone, Fallback, "endpoint_without_zone",
     "One or more endpoints do not have a zone specified",
     "label the nodes of these endpoints with topology.kubernetes.io/zone"},
    {Reason::AutoSwitchedOff, Fallback, "auto_switched_off",
     "Topology Aware Hints are switched off for the whole cluster",
     "drop --feature-gates TopologyAwareHints=false"},

    {Reason::SameNode, Good, "same_node", "endpoints on the node itself are used", ""},
    {Reason::SameZone, Good, "same_zone", "endpoints in the node's own zone are used", ""},
    {Reason::SameZoneNotEverywhere, Fallback, "same_zone_not_everywhere",
     "endpoints in the node's own zone are used, but {count} of {zones} zones have none, such as "
     "{subject}: traffic from there goes to all zones",
     "run an endpoint in zone {subject}"},
    {Reason::NoneOnNode, Info, "none_on_node", "no ready endpoint is on the node itself",
     "run an endpoint on every node, for example as a DaemonSet"},
    {Reason::NoneInZone, Fallback, "none_in_zone",
     "no ready endpoint is in the node's zone, so all zones are used",
     "run an endpoint in that zone"},
    {Reason::NodeZoneUnknown, Fallback, "node_zone_unknown",
     "the node has no zone, so all endpoints are used",
     "label the node with topology.kubernetes.io/zone"},
    {Reason::EndpointZoneUnknown, Fallback, "endpoint_zone_unknown",
     "{count} ready endpoints have no zone, so no node can keep this Service's traffic in its zone",
     "label the nodes of these endpoints with topology.kubernetes.io/zone"},

    {Reason::FallsBackToRegion, Info, "falls_back_to_region",
     "zone {subject} has no ready endpoint, so its traffic uses the {count} ready endpoints of its "
     "region", "run an endpoint in zone {subject}"},

    {Reason::RequiredZoneKept, Good, "required_zone_kept",
     "traffic stays in its zone, and every zone has the endpoints that it needs", ""},
    {Reason::RequiredZoneRejects, Broken, "required_zone_rejects",
     "zone {subject} has no ready endpoint and traffic must not leave it, so it is rejected",
     "run an endpoint in zone {subject}, or let it use other zones for a while with "
     "proxima.io/failover"},
    {Reason::RequiredZoneUnknown, Broken, "required_zone_unknown",
     "traffic must not leave its zone, and that of nodes without a zone is rejected",
     "label the node with topology.kubernetes.io/zone"},
    {Reason::ZoneFailsOver, Fallback, "zone_fails_over",
     "zone {subject} has {count} ready endpoints and needs {limit_count}, so its traffic uses other "
     "zones, too, its region first: {share} of the Service's traffic crosses zones, which costs "
     "{cost} per unit of traffic", "run more endpoints in zone {subject}"},
    {Reason::ZoneFailoverSpent, Fallback, "zone_failover_spent",
     "zone {subject} has {count} ready endpoints, needs {limit_count}, and has used other zones for "
     "as long as proxima.io/failover allows, so its traffic does not leave it any more: {share} of "
     "the Service's traffic crosses zones, which costs {cost} per unit of traffic",
     "run more endpoints in zone {subject}, or allow a longer time in proxima.io/failover"},
    {Reason::ZoneFailoverEnded, Good, "zone_failover_ended",
     "zone {subject} has {count} ready endpoints again and keeps its traffic: {share} of the "
     "Service's traffic crosses zones, which costs {cost} per unit of traffic", ""},
    {Reason::FollowsFailover, Fallback, "follows_failover",
     "zone {subject} has too few ready endpoints and uses other zones: {share} of its traffic stays "
     "in the zone", "run more endpoints in zone {subject}"},

    {Reason::ZoneAwareDirect, Good, "zone_aware_direct",
     "the zone has its share of the endpoints, so all its traffic stays "
     "(lb_zone_routing_all_directly)", ""},
    {Reason::ZoneAwareForcedLocal, Good, "zone_aware_forced_local",
     "force_local_zone is on and the zone has enough endpoints, so all its traffic stays", ""},
    {Reason::ZoneAwareResidual, Good, "zone_aware_residual",
     "{share} of the traffic stays in its zone; the rest goes where capacity is left over "
     "(lb_zone_routing_cross_zone)",
     "run more endpoints in this zone to keep more of its traffic"},
    {Reason::ZoneAwareNoCapacityLeft, Fallback, "zone_aware_no_capacity_left",
     "no zone has capacity left over, so the rest goes to any zone (lb_zone_no_capacity_left)", ""},
    {Reason::ZoneAwareUpstreamSingleZone, Fallback, "zone_aware_upstream_single_zone",
     "all endpoints are in one zone, so there is nothing to choose", "run endpoints in more zones"},
    {Reason::ZoneAwareOriginatingSingleZone, Fallback, "zone_aware_originating_single_zone",
     "all traffic starts in one zone, so Envoy's rule does not apply",
     "set force_local_zone to keep it local all the same"},
    {Reason::ZoneAwareOwnZoneUnknown, Fallback, "zone_aware_own_zone_unknown",
     "no traffic is known to start in the node's own zone (lb_local_cluster_not_ok)",
     "label the node with topology.kubernetes.io/zone"},
    {Reason::ZoneAwareClusterTooSmall, Fallback, "zone_aware_cluster_too_small",
     "{count} ready endpoints are fewer than the minimum of {limit_count} "
     "(lb_zone_cluster_too_small)",
     "run more endpoints, or lower --zone-aware-min-cluster-size"},
    {Reason::ZoneAwareZoneNumberDiffers, Fallback, "zone_aware_zone_number_differs",
     "traffic starts in another number of zones than endpoints run in (lb_zone_number_differs)",
     "drop --zone-aware-require-equal-zones"},
    {Reason::ZoneAwareUpstreamPanic, Fallback, "zone_aware_upstream_panic",
     "too few endpoints are ready ({share}), so zones are ignored and every ready endpoint is used "
     "alike (lb_healthy_panic)",
     "bring the endpoints back, lower the panic threshold, or set proxima.io/panic: all to use "
     "endpoints that are not ready, too"},
    {Reason::ZoneAwareOriginatingPanic, Fallback, "zone_aware_originating_panic",
     "too few of the clients are healthy, so zones are not looked at (lb_local_cluster_not_ok)",
     "bring the clients back, or lower the panic threshold"},
    {Reason::ZoneAwareDisabled, Fallback, "zone_aware_disabled",
     "zone aware routing is switched off (routing_enabled is 0%)",
     "raise --zone-aware-routing-enabled"},
    {Reason::ZoneAwareFailsInPanic, Broken, "zone_aware_fails_in_panic",
     "too few endpoints are ready and fail_traffic_on_panic is set, so traffic fails",
     "bring the endpoints back, or drop --zone-aware-fail-on-panic"},
    {Reason::ZoneAwarePanicUsesAll, Fallback, "zone_aware_panic_uses_all",
     "too few endpoints are ready ({share}), so all of them are used, ready or not "
     "(lb_healthy_panic)", "bring the endpoints back, or lower the panic threshold"},

    {Reason::NoZones, Fallback, "no_zones",
     "no node and no endpoint has a zone, so every ready endpoint is used alike",
     "label the nodes with topology.kubernetes.io/zone"},
    {Reason::BalancedAllLocal, Good, "balanced_all_local",
     "all traffic stays in its zone, within an overload bound of {limit}", ""},
    {Reason::BalancedSpill, Good, "balanced_spill",
     "{share} of the traffic leaves its zone, the least that an overload bound of {limit} allows",
     "run more endpoints where traffic starts, or allow more overload"},
    {Reason::BalancedNoLocalEndpoints, Info, "balanced_no_local_endpoints",
     "zone {subject} has traffic but no ready endpoint", "run an endpoint in zone {subject}"},
    {Reason::BalancedBelowMinLocal, Info, "balanced_below_min_local",
     "zone {subject} has {count} ready endpoints, fewer than the {limit_count} below which traffic "
     "does not prefer to stay", "run more endpoints in zone {subject}"},
    {Reason::BalancedNodeFirst, Good, "balanced_node_first",
     "{share} of the traffic does not even leave its node", ""},
    {Reason::UnplacedNodes, Info, "unplaced_nodes",
     "{count} nodes have no zone; they form a place of their own and change nothing for others",
     "label them with topology.kubernetes.io/zone"},
    {Reason::UnplacedEndpoints, Info, "unplaced_endpoints",
     "{count} ready endpoints have no zone; they form a place of their own",
     "label their nodes with topology.kubernetes.io/zone"},
    {Reason::DemandUnknown, Info, "demand_unknown",
     "nothing says where the traffic starts ({subject}), so every zone is taken to start the same",
     "let nodes report allocatable CPU, annotate them with proxima.io/traffic for demand measured, or "
     "choose another source of demand"},

    {Reason::UsesNodeHints, Good, "uses_node_hints",
     "every ready endpoint has a node hint and {count} are for this node", ""},
    {Reason::UsesZoneHints, Good, "uses_zone_hints",
     "every ready endpoint has a zone hint and {count} are for this node's zone", ""},
    {Reason::HintsIncomplete, Fallback, "hints_incomplete",
     "{count} ready endpoints have no zone hint, so all hints are ignored",
     "see why the controller could not hint them: proxima plan"},
    {Reason::HintsSwitchedOff, Fallback, "hints_switched_off",
     "this proxy does not look at hints (feature gate TopologyAwareHints is off)",
     "drop --feature-gates TopologyAwareHints=false"},
    {Reason::NoHintForNode, Info, "no_hint_for_node",
     "no ready endpoint is hinted to this node", ""},
    {Reason::NoHintForZone, Fallback, "no_hint_for_zone",
     "no ready endpoint is hinted to this node's zone, so all are used",
     "run an endpoint in this zone, or use policy balanced"},
    {Reason::UsesSplit, Good, "uses_split",
     "traffic follows the zone split of the plan: {share} stays in the zone", ""},
    {Reason::NoSplitForZone, Fallback, "no_split_for_zone",
     "the zone split of the plan says nothing about this node's zone, so all endpoints are used",
     "label the node with topology.kubernetes.io/zone, or wait for the next plan"},
    {Reason::SplitOutOfDate, Fallback, "split_out_of_date",
     "no ready endpoint is left in the zones that the zone split names, so all are used until the "
     "next plan",
     "see why the controller has not planned again"},
    {Reason::SplitUnreadable, Fallback, "split_unreadable",
     "the zone split on EndpointSlice {subject} cannot be read, so all endpoints are used",
     "remove the annotation proxima.io/zone-split from the slice; the controller writes it again"},
    {Reason::LocalEndpointsOnly, Good, "local_endpoints_only",
     "a traffic policy of Local uses the {count} endpoints on this node only", ""},
    {Reason::NoLocalEndpoint, Broken, "no_local_endpoint",
     "a traffic policy of Local applies and no usable endpoint is on this node, so traffic is "
     "dropped", "run an endpoint on every node, or set the traffic policy to Cluster"},
    {Reason::TerminatingFallback, Fallback, "terminating_fallback",
     "no endpoint is ready; {count} that are shutting down but still serve are used",
     "find out why no Pod is ready"},
    {Reason::NoEndpoints, Broken, "no_endpoints",
     "no endpoint is ready or still serving, so traffic is rejected",
     "find out why the Pods behind the Service are not ready"},
    {Reason::EndpointNotReady, Info, "endpoint_not_ready", "not ready", ""},
    {Reason::EndpointTerminating, Info, "endpoint_terminating", "shutting down", ""},
    {Reason::EndpointElsewhere, Info, "endpoint_elsewhere", "for other places", ""},

    {Reason::ExternalIpOfNode, Refused, "external_ip_of_node",
     "spec.externalIPs: {subject} is an address of this node, so it is not routed here: the ports "
     "of the node belong to the programs that run on it",
     "use a node port or a load balancer; where everyone who may write Services is trusted with the "
     "node, run proxima proxy with --allow-node-external-ips"},

    {Reason::HintsApproximateSplit, Info, "hints_approximate_split",
     "proxies that know hints only get the nearest whole-endpoint allotment, within {limit} of "
     "overload", ""},
    {Reason::HintsCannotApproximateSplit, Info, "hints_cannot_approximate_split",
     "no whole-endpoint allotment stays within {limit} of overload (the best has {share}), so "
     "proxies that know hints only get none and spread over all zones",
     "use the Proxima proxy, which follows splits, or allow more overload"},
    {Reason::HintsCannotReject, Info, "hints_cannot_reject",
     "hints cannot reject traffic, so proxies that know hints only let traffic from zone {subject} "
     "use all zones", "use the Proxima proxy, or run an endpoint in zone {subject}"},
    {Reason::PlanFollowed, Good, "plan_followed",
     "every ready node routes by the published plan", ""},
    {Reason::PlanFollowedMeasured, Good, "plan_followed_measured",
     "every ready node routes by the published plan; {share} of {count} connections stayed in their "
     "zone ({limit} planned)", ""},
    {Reason::NodesBehind, Fallback, "nodes_behind",
     "{count} of {limit_count} nodes follow plan {plan}; {subject} is {seconds} s behind",
     "look at the log and the health of the proxy on that node"},
    {Reason::NodesNotReporting, Info, "nodes_not_reporting",
     "{count} of {limit_count} nodes follow plan {plan}; {subject} has not reported for {seconds} s",
     "run proxima proxy on that node, and check that it reaches the controller"},
    {Reason::NodesCannotReadPlan, Fallback, "nodes_cannot_read_plan",
     "{count} of {limit_count} nodes follow plan {plan}; {subject} cannot read it and routes by "
     "hints alone",
     "update proxima proxy on that node, or correct the annotation of the slice"},
    {Reason::NoNodeReports, Info, "no_node_reports",
     "no node reports what it routes",
     "run proxima proxy on the nodes and proxima controller with --report-bind-address; kube-proxy "
     "does not report"},

    {Reason::MoveNeverRejects, Fallback, "move_never_rejects",
     "the topology keys reject traffic that finds no endpoint near, because they do not end in "
     "\"*\"; after the move it goes to endpoints elsewhere",
     "keep the topology keys where traffic must not go elsewhere"},
    {Reason::MoveLosesTopologyKey, Fallback, "move_loses_topology_key",
     "topology key {subject} has no counterpart after the move: endpoints are no longer chosen by "
     "that label",
     "keep the topology keys where that label matters"},
    {Reason::MoveAddsZoneTier, Info, "move_adds_zone_tier",
     "PreferSameNode tries the node's zone before the other zones, which the topology keys do not",
     ""},
    {Reason::MoveExceedsBound, Fallback, "move_exceeds_bound",
     "nothing bounds the load after the move: the busiest endpoint gets {share} more than its fair "
     "share, beyond {limit}",
     "use policy balanced, or run more endpoints where traffic starts, for example with a Deployment "
     "for each zone"},
};
// clang-format on

constexpr bool one_row_an_enumerator_in_order() {
  for (std::size_t i = 0; i < std::size(kReasons); ++i) {
    if (static_cast<std::size_t>(kReasons[i].reason) != i) return false;
  }
  return kReasons[std::size(kReasons) - 1].reason == Reason::MoveExceedsBound;
}
static_assert(one_row_an_enumerator_in_order());

// 0.333 → "33.3%", 0.2 → "20%", infinity → "infinity".
std::string percent(double share) {
  if (std::isinf(share)) return "infinity";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", share * 100);
  std::string out = text;
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out + "%";
}

// 0.3333 → "0.333", 0 → "0".
std::string cost_text(double cost) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", cost);
  return text;
}

std::string value_of(std::string_view name, const Note& note) {
  if (name == "subject") return std::string(note.subject);
  if (name == "count") return std::to_string(note.count);
  if (name == "zones") return std::to_string(note.zones);
  if (name == "share") return percent(note.share);
  if (name == "limit") return percent(note.limit);
  if (name == "cost") return cost_text(note.cost);
  if (name == "limit_count") return std::to_string(static_cast<std::int64_t>(note.limit));
  if (name == "seconds") return std::to_string(note.seconds);
  if (name == "plan") return std::to_string(note.plan);
  return {};
}

std::string fill_in(std::string_view text, const Note& note) {
  std::string out;
  while (!text.empty()) {
    const auto open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const auto close = text.find('}', open);
    out += value_of(text.substr(open + 1, close - open - 1), note);
    text.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace

std::span<const ReasonText> reasons() { return kReasons; }

const ReasonText& text_of(Reason reason) { return kReasons[static_cast<std::size_t>(reason)]; }

std::string sentence(const Note& note) { return fill_in(text_of(note.reason).sentence, note); }

std::string remedy(const Note& note) { return fill_in(text_of(note.reason).remedy, note); }

}  // namespace proxima::policy
