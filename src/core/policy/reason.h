// SPDX-License-Identifier: Apache-2.0
// Why a decision is what it is. One table feeds the CLI, Events, conditions, metric labels, logs,
// the page and docs/reasons.md, so that the same thing is called the same everywhere.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace proxima::policy {

enum class Reason : std::uint8_t {
  // Which policy applies.
  PolicyFromServiceAnnotation,
  PolicyFromTopologyKeys,
  PolicyFromTopologyAnnotation,
  PolicyFromTrafficPolicyField,
  PolicyFromTrafficDistribution,
  PolicyFromNamespace,
  PolicyFromClusterDefault,
  PolicyFromCommandLine,
  NothingSaid,
  NothingElseSaid,
  DeprecatedAnnotationWins,
  TopologyAnnotationDisables,
  OverriddenByStrongerSetting,
  FeatureGateOff,
  ConflictingTopologyAnnotations,
  UnknownPolicy,
  UnknownTrafficDistribution,
  UnknownTrafficPolicy,
  InvalidOverload,
  InvalidDemand,
  InvalidMinLocalEndpoints,
  InvalidNodeFirst,
  InvalidPanic,
  InvalidAutoThreshold,
  InvalidFailover,
  InvalidFallback,
  TooManyTopologyKeys,
  DuplicateTopologyKey,
  CatchAllNotLast,
  InvalidTopologyKey,
  TopologyKeysMissing,
  TopologyKeysWithExternalLocal,
  TopologyKeysWithPreferZone,
  InternalTrafficPolicyLocal,
  ExternalTrafficPolicyLocal,
  ExternalName,
  Headless,
  NoEndpointSlices,
  SlicesOfOthers,
  InternalError,
  // No policy: every endpoint alike.
  ClusterWide,
  NoneReady,
  // topology-keys
  TopologyKeyMatched,
  TopologyKeyCatchAll,
  TopologyKeyNotOnNode,
  TopologyKeyNoEndpoint,
  NoTopologyKeyMatched,
  NodeLabelsUnknownUsesAll,
  NodeLabelsUnknownRejects,
  // auto
  HintsAssigned,
  HintsLentToOtherZones,
  HintsKept,
  HintsHeld,
  NodeInformationMissing,
  NodeWithoutZone,
  NodeWithoutCpu,
  NodeIgnored,
  NodeCountedAsOneCore,
  SingleZone,
  TooFewEndpoints,
  OverloadTooHigh,
  EndpointWithoutZone,
  AutoSwitchedOff,
  // prefer-same-node, prefer-same-zone
  SameNode,
  SameZone,
  SameZoneNotEverywhere,
  NoneOnNode,
  NoneInZone,
  NodeZoneUnknown,
  EndpointZoneUnknown,
  FallsBackToRegion,
  // require-zone
  RequiredZoneKept,
  RequiredZoneRejects,
  RequiredZoneUnknown,
  ZoneFailsOver,
  ZoneFailoverSpent,
  ZoneFailoverEnded,
  FollowsFailover,
  // zone-aware
  ZoneAwareDirect,
  ZoneAwareForcedLocal,
  ZoneAwareResidual,
  ZoneAwareNoCapacityLeft,
  ZoneAwareUpstreamSingleZone,
  ZoneAwareOriginatingSingleZone,
  ZoneAwareOwnZoneUnknown,
  ZoneAwareClusterTooSmall,
  ZoneAwareZoneNumberDiffers,
  ZoneAwareUpstreamPanic,
  ZoneAwareOriginatingPanic,
  ZoneAwareDisabled,
  ZoneAwareFailsInPanic,
  ZoneAwarePanicUsesAll,
  // balanced
  NoZones,
  BalancedAllLocal,
  BalancedSpill,
  BalancedNoLocalEndpoints,
  BalancedBelowMinLocal,
  BalancedNodeFirst,
  UnplacedNodes,
  UnplacedEndpoints,
  DemandUnknown,
  // What one node does with it.
  UsesNodeHints,
  UsesZoneHints,
  HintsIncomplete,
  HintsSwitchedOff,
  NoHintForNode,
  NoHintForZone,
  UsesSplit,
  NoSplitForZone,
  SplitOutOfDate,
  SplitUnreadable,
  LocalEndpointsOnly,
  NoLocalEndpoint,
  TerminatingFallback,
  NoEndpoints,
  EndpointNotReady,
  EndpointTerminating,
  EndpointElsewhere,
  // What a node proxy does not route.
  ExternalIpOfNode,
  // Publishing for proxies that know hints only.
  HintsApproximateSplit,
  HintsCannotApproximateSplit,
  HintsCannotReject,
  // Whether nodes route what is published.
  PlanFollowed,
  PlanFollowedMeasured,
  NodesBehind,
  NodesNotReporting,
  NodesCannotReadPlan,
  NoNodeReports,
  // What a Service would lose by moving to another policy.
  MoveNeverRejects,
  MoveLosesTopologyKey,
  MoveAddsZoneTier,
  MoveExceedsBound,
};

enum class Severity : std::uint8_t {
  Good,      // what was asked for happens
  Info,      // worth knowing, nothing is lost
  Fallback,  // traffic flows, but not as asked for
  Refused,   // a setting was not understood and is not applied
  Broken,    // traffic is rejected or dropped
};

struct ReasonText {
  Reason reason;
  Severity severity;
  std::string_view code;      // metric label, JSON, Event reason in snake_case
  std::string_view sentence;  // may hold {subject}, {count}, {zones}, {share}, {limit},
                              // {limit_count}, {cost}, {seconds}, {plan}
  std::string_view remedy;    // what the user can do about it; "" when nothing needs doing
};

// One row an enumerator, in order.
std::span<const ReasonText> reasons();
const ReasonText& text_of(Reason reason);

// A reason with the facts of one case.
struct Note {
  Reason reason = Reason::ClusterWide;
  std::string_view subject = {};  // a name or text of the snapshot; borrowed
  std::int64_t count = 0;         // endpoints, mostly
  std::int64_t zones = 0;
  double share = 0;  // 0.33 is shown as 33%
  double limit = 0;  // the bound that `share` met or broke
  double cost = 0;   // by the prices of the plan, for a unit of the Service's traffic
  std::int64_t seconds = 0;
  std::uint64_t plan = 0;  // the newest resourceVersion of a Service's slices
};

// The sentence, or the remedy, of the table with the facts filled in.
std::string sentence(const Note& note);
std::string remedy(const Note& note);

}  // namespace proxima::policy
