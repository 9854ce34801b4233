// SPDX-License-Identifier: Apache-2.0
// Bounds on every number that comes from outside and reaches a plan or a route: one table, which
// the decoders use and docs/reference/limits.md is made of. Within these bounds no sum, product or
// conversion of the planner overflows, so nobody can break it with a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace proxima::model {

enum class Bounded : std::uint8_t {
  NodeCpu,
  NodeTraffic,
  PodWeight,
  ServicePort,
  AffinitySeconds,
  AffinityClients,
  ServicePorts,
  ServiceAddresses,
  ServiceRoutes,
  SourceRanges,
  Zones,
  EndpointHints,
  Overload,
  MinLocalEndpoints,
  TopologyKeys,
  FailoverEndpoints,
  FailoverSeconds,
  SplitPermille,
  RoutingWeight,
  RoutingKept,
  RoutingInflow,
  RoutingLabels,
  RoutingBytes,
  MeasuredTraffic,
  Price,
  PriceRatio,
  Gigabytes,
  TableRows,
  ClusterSize,
  Percent,
  ReportConnections,
  ReportServices,
  ReportUnreadable,
  ReportBytes,
  FlowRows,
  FlowValues,
  FlowNames,
  FlowAddresses,
  FlowConnections,
  FlowBytes,
  ArchiveEntries,
  ArchiveBytes,
};

struct Limit {
  Bounded number;
  std::string_view what;
  std::string_view source;  // the object and the field, the flag or the file; as Markdown
  double least;
  double most;
  std::string_view beyond;  // what happens to a number outside the bounds

  // False also for what is not a number.
  constexpr bool admits(double value) const { return value >= least && value <= most; }
  constexpr std::size_t most_count() const { return static_cast<std::size_t>(most); }
};

// clang-format off
inline constexpr Limit kLimits[] = {
    {Bounded::NodeCpu, "CPU of a Node, in cores", "Node, `status.allocatable.cpu`", 0, 1e9,
     "reported; the Node counts as one without CPU"},
    {Bounded::NodeTraffic, "traffic that starts on a Node, in any unit",
     "Node, annotation `proxima.io/traffic`", 0, 1e15,
     "reported; the Node counts as one that says nothing"},
    {Bounded::PodWeight, "weight of a Pod", "Pod, annotation `proxima.io/weight`", 1e-6, 1e6,
     "reported; the Pod has weight 1"},
    {Bounded::ServicePort, "port", "Service, Pod and EndpointSlice, every port", 1, 65'535,
     "reported; the port is left out"},
    {Bounded::AffinitySeconds, "time of session affinity, in seconds",
     "Service, `spec.sessionAffinityConfig.clientIP.timeoutSeconds`", 1, 86'400,
     "reported; 10,800 is used"},
    {Bounded::AffinityClients,
     "clients that session affinity remembers on a node, for each port and IP family of a Service",
     "connections to a Service with `sessionAffinity: ClientIP`", 0, 65'535,
     "further clients are served, but not remembered"},
    {Bounded::ServicePorts, "ports of a Service or an EndpointSlice",
     "Service, `spec.ports`; EndpointSlice, `ports`", 0, 1'000, "reported; the first ones count"},
    {Bounded::ServiceAddresses, "external IPs of a Service, and addresses of its load balancer",
     "Service, `spec.externalIPs` and `status.loadBalancer.ingress`, each", 0, 100,
     "reported; the first ones count"},
    {Bounded::ServiceRoutes, "ports of a Service, times its external IPs or its load balancer's",
     "Service, `spec.ports` with `spec.externalIPs` or `status.loadBalancer.ingress`", 0, 10'000,
     "reported; the first addresses count"},
    {Bounded::SourceRanges, "ranges of addresses that may use a load balancer",
     "Service, `spec.loadBalancerSourceRanges`", 0, 1'000, "reported; the first ones count"},
    {Bounded::Zones, "zones of a cluster, and regions",
     "Nodes, label `topology.kubernetes.io/zone`; EndpointSlices, `zone` and `forZones`", 0, 1'000,
     "zones of Nodes count first, then by name; what is in one beyond counts as without a zone"},
    {Bounded::EndpointHints, "hints of an endpoint, for zones and for Nodes each",
     "EndpointSlice, `hints`", 0, 8, "reported; the first ones count"},
    {Bounded::Overload, "bound on overload, and thresholds of `auto`; 1 is 100%",
     "Service and Namespace, annotations `proxima.io/overload`, `proxima.io/auto-start`, "
     "`proxima.io/auto-stop`; flags of the same names",
     0, 1e6, "refused with a reason; `inf` is a bound on overload that never binds"},
    {Bounded::MinLocalEndpoints, "endpoints that a zone needs to keep its traffic",
     "Service and Namespace, annotation `proxima.io/min-local-endpoints`; flag "
     "`--min-local-endpoints`",
     1, 1e6, "refused with a reason"},
    {Bounded::TopologyKeys, "topology keys of a Service",
     "Service, `spec.topologyKeys` or annotation `proxima.io/topology-keys`", 0, 16,
     "refused with a reason"},
    {Bounded::FailoverEndpoints, "endpoints below which a zone fails over",
     "Service and Namespace, annotation `proxima.io/failover`, `min-endpoints`", 1, 100'000,
     "refused with a reason"},
    {Bounded::FailoverSeconds, "time for which a zone may fail over, in seconds",
     "Service and Namespace, annotation `proxima.io/failover`, `for`", 1, 31'622'400,
     "refused with a reason"},
    {Bounded::SplitPermille, "share of a zone's traffic, in thousandths",
     "EndpointSlice, annotation `proxima.io/zone-split`", 1, 1'000,
     "the split cannot be read: hints are used"},
    {Bounded::RoutingWeight, "weight of an endpoint",
     "EndpointSlice, annotation `proxima.io/routing`, `weight`", 1e-6, 1e6,
     "the annotation cannot be read: hints are used"},
    {Bounded::RoutingKept, "traffic that a Node keeps, in thousandths",
     "EndpointSlice, annotation `proxima.io/routing`, `kept`", 0, 1'000,
     "the annotation cannot be read: hints are used"},
    {Bounded::RoutingInflow, "an endpoint's part of what its zone receives",
     "EndpointSlice, annotation `proxima.io/routing`, `inflow`", 0, 100'000,
     "the annotation cannot be read: hints are used"},
    {Bounded::RoutingLabels, "labels of endpoints that a slice tells, and topology keys",
     "EndpointSlice, annotation `proxima.io/routing`, `label:` and `keys`", 0, 16,
     "the annotation cannot be read: hints are used"},
    {Bounded::RoutingBytes, "size of what a slice says about its endpoints, in bytes",
     "EndpointSlice, annotation `proxima.io/routing`", 0, 262'144,
     "the annotation cannot be read: hints are used"},
    {Bounded::MeasuredTraffic, "measured traffic of a zone, in any unit", "flag `--measured`", 0,
     1e15, "the command fails and names the line"},
    {Bounded::Price, "price of a GB",
     "flags `--price-per-gb`, `--region-price-per-gb`, `--price-file`", 0, 1e6,
     "the command fails and names the flag or the line"},
    {Bounded::PriceRatio, "price between regions over the price between zones",
     "flags `--price-per-gb` and `--region-price-per-gb`", 0, 1e6, "the bound is used instead"},
    {Bounded::Gigabytes, "traffic of a Service, in GB", "flag `--traffic`", 0, 1e12,
     "the command fails and names the line"},
    {Bounded::TableRows, "rows of a file of numbers",
     "flags `--measured`, `--price-file`, `--traffic`", 0, 1e6, "the command fails"},
    {Bounded::ClusterSize, "endpoints that zone aware routing needs",
     "flags `--zone-aware-min-cluster-size`, `--zone-aware-force-local-min-size`", 0, 1e6,
     "the command fails"},
    {Bounded::Percent, "percentage of zone aware routing",
     "flags `--zone-aware-routing-enabled`, `--zone-aware-panic-threshold`", 0, 100,
     "the command fails"},
    {Bounded::ReportConnections, "connections of a Service in a report",
     "report of a node proxy, `connections` and `local`", 0, 1e12, "the report is refused"},
    {Bounded::ReportServices, "Services with connections in a report",
     "report of a node proxy, `connections`", 0, 5'000,
     "the report is refused; a node proxy keeps the others for its next one"},
    {Bounded::ReportUnreadable, "Services in a report whose plans cannot be read",
     "report of a node proxy, `unreadable`", 0, 100,
     "the report is refused; a node proxy reports the first ones"},
    {Bounded::ReportBytes, "size of a report, in bytes", "report of a node proxy", 0, 2'097'152,
     "the report is refused"},
    {Bounded::FlowRows, "endpoints with connections on a node, by zone of the client",
     "`/debug/flows` of a node proxy, `endpoints`", 0, 20'000,
     "the answer is refused: the live page has no measurement of the node"},
    {Bounded::FlowValues, "fields and list items of an answer",
     "`/debug/flows` of a node proxy", 0, 300'000,
     "the answer is refused: the live page has no measurement of the node"},
    {Bounded::FlowNames, "length of a name, in bytes",
     "`/debug/flows` of a node proxy, `namespace`, `service`, `sourceZone` and `targetZone`", 0, 63,
     "the answer is refused, but for a zone, which counts as unknown"},
    {Bounded::FlowAddresses, "length of an address, in bytes",
     "`/debug/flows` of a node proxy, `address`", 0, 45,
     "the answer is refused: the live page has no measurement of the node"},
    {Bounded::FlowConnections, "connections to an endpoint",
     "`/debug/flows` of a node proxy, `connections` and `unanswered`", 0, 1e15,
     "the answer is refused: the live page has no measurement of the node"},
    {Bounded::FlowBytes, "bytes of an endpoint's connections, in each direction",
     "`/debug/flows` of a node proxy, `requestBytes` and `responseBytes`", 0, 1e18,
     "the answer is refused: the live page has no measurement of the node"},
    {Bounded::ArchiveEntries, "files, folders and links in an archive",
     "flag `--filename`, a `.tar.gz`", 0, 10'000, "the command fails"},
    {Bounded::ArchiveBytes, "size of an archive when it is unpacked, in bytes",
     "flag `--filename`, a `.tar.gz`", 0, 1'073'741'824, "the command fails"},
};
// clang-format on

constexpr const Limit& limit_of(Bounded number) {
  return kLimits[static_cast<std::size_t>(number)];
}

// "a number from 0 to 1,000": for messages about what is outside.
std::string range_text(const Limit& limit);
// 1000000 → "1,000,000", 0.000001 → "0.000001".
std::string limit_text(double bound);

}  // namespace proxima::model
