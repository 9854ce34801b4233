// SPDX-License-Identifier: Apache-2.0
#include "core/plan/service_frame.h"

#include <gtest/gtest.h>

#include "core/model/snapshot_builder.h"
#include "core/plan/traffic.h"
#include "support/cluster.h"

namespace proxima::plan {
namespace {

using model::Snapshot;

constexpr const char* kFrameNodes =
    "node n1 a 4 region=r; node n2 b 4; node n3 c 2; node n4 - 4; node n5 a 4 !ready;";

// The nodes of a cluster as a frame takes them.
Snapshot nodes_of(const std::string& nodes) {
  const auto cluster = test::cluster(nodes);
  model::SnapshotBuilder builder;
  for (const model::Node& node : cluster->nodes) {
    model::NodeDraft draft{.name = builder.names().intern(cluster->names[node.name]),
                           .labels = {},
                           .cpu = node.cpu,
                           .ready = node.ready};
    for (const model::Label& label : Snapshot::part(cluster->labels, node.labels)) {
      draft.labels.push_back({builder.names().intern(cluster->names[label.key]),
                              builder.names().intern(cluster->names[label.value])});
    }
    builder.add(draft);
  }
  return builder.take(model::MissingSlices::LeaveEmpty);
}

// The only service of the cluster, put into the frame.
void put(const Snapshot& cluster, ServiceFrame& frame) {
  frame.begin();
  const auto carry = [&](NameId name) {
    return name ? frame.intern(cluster.names[name]) : NameId();
  };
  const model::Service& from = cluster.services.front();
  frame.add({.name = frame.intern("s"), .routing = {}});
  model::Service service = from;
  service.name = carry(from.name);
  service.topology_mode = carry(from.topology_mode);
  service.topology_aware_hints = carry(from.topology_aware_hints);
  service.traffic_distribution = carry(from.traffic_distribution);
  service.traffic_policy = carry(from.traffic_policy);
  service.routing = {.policy = carry(from.routing.policy),
                     .overload = carry(from.routing.overload),
                     .topology_keys = carry(from.routing.topology_keys),
                     .demand = carry(from.routing.demand),
                     .min_local_endpoints = carry(from.routing.min_local_endpoints),
                     .node_first = carry(from.routing.node_first)};
  frame.put(service, Snapshot::part(cluster.service_ports, from.ports), {});
  for (const model::Pod& pod : cluster.pods) {
    model::Pod client = pod;
    client.ns = model::NamespaceIndex(0);
    client.name = carry(pod.name);
    client.owner = carry(pod.owner);
    client.node = frame.node(cluster.node_name(pod.node));
    frame.add_client(client);
  }
  for (const model::EndpointSlice& slice : cluster.slices) {
    frame.add({.family = slice.family});
    for (model::Endpoint endpoint : Snapshot::part(cluster.endpoints, slice.endpoints)) {
      endpoint.node = frame.node(cluster.node_name(endpoint.node));
      endpoint.zone = frame.zone(cluster.zone_name(endpoint.zone));
      const auto hints = std::span(cluster.hints).subspan(endpoint.hints);
      frame.add(endpoint, hints.first(endpoint.zone_hint_count),
                hints.subspan(endpoint.zone_hint_count, endpoint.node_hint_count));
    }
  }
}

std::string describe(const ClusterPlan& plan) {
  std::string out;
  for (const ServicePlan& service : plan.services) {
    out += std::string(policy::to_text(service.policy)) + ": " + policy::sentence(service.why);
    for (const model::Range range : {service.policy_notes, service.planner_notes}) {
      for (const policy::Note& note : Snapshot::part(plan.notes, range)) {
        out += "\n  " + policy::sentence(note);
      }
    }
    for (std::size_t e = 0; e < service.endpoints.size; ++e) {
      const EndpointHint& hint = plan.hints[service.endpoints.begin + e];
      out += "\n  " + std::string(plan.snapshot->zone_name(hint.zone)) +
             (hint.for_own_node ? "@" : "");
    }
    for (const double share : plan.split_of(service)) out += " " + std::to_string(share);
    const Traffic traffic = predict_traffic(plan, service);
    out += "\n  " + std::to_string(traffic.local) + " " + std::to_string(traffic.worst_overload);
  }
  return out;
}

TEST(ServiceFrame, PlansEveryServiceAsThePlanOfTheWholeClusterDoes) {
  ServiceFrame frame(nodes_of(kFrameNodes), {});
  const char* services[] = {
      "service s/web Auto; endpoint n1 x2; endpoint n2; endpoint n3",
      "service s/web Auto; endpoint n1 hint=a; slice; endpoint n2 hint=b; endpoint n3 hint=c",
      "service s/web PreferSameNode; endpoint n1; endpoint n4",
      "service s/web balanced overload=10%; endpoint n1 x3; endpoint n2 weight=2",
      "service s/web balanced node-first=true; endpoint n1 x3; endpoint n2; endpoint n3 v6",
      "service s/web zone-aware; endpoint n1 x3; endpoint n2 x3; endpoint n3 x2 !ready",
      "service s/web keys=topology.kubernetes.io/zone,*; endpoint n1 x3",
      "service s/web balanced demand=clients=Deployment/shop; endpoint n1; endpoint n2; "
      "pod s/c1 n1 owner=Deployment/shop; pod s/c2 n1 owner=Deployment/shop; pod s/c3 n3",
      "service s/web balanced demand=clients=Deployment/other; endpoint n1; endpoint n2; "
      "pod s/c1 n3 owner=Deployment/other",
      "service s/web balanced demand=nodes; endpoint n1; endpoint n2",
      "service s/web; endpoint n1 !ready",
      "service s/web distribution=PreferMoon",
  };
  const std::size_t names = frame.snapshot().names.size();
  for (int round = 0; round < 3; ++round) {
    for (const char* service : services) {
      SCOPED_TRACE(service);
      const auto cluster = test::cluster(kFrameNodes + std::string(service));
      const ClusterPlan whole = plan_cluster(cluster, {});
      put(*cluster, frame);
      EXPECT_EQ(describe(frame.plan({})), describe(whole));
    }
  }
  frame.begin();
  EXPECT_EQ(frame.snapshot().names.size(), names) << "names of services do not stay";
}

TEST(ServiceFrame, TakesItsCallersWordForWhatIsPublished) {
  // Two equal zones and five endpoints: 25 % of overload, above the start and below the end.
  ServiceFrame frame(nodes_of("node n1 a 4; node n2 b 4"), {});
  const auto cluster =
      test::cluster("node n1 a 4; node n2 b 4; service s/web Auto; endpoint n1 x3; endpoint n2 x2");
  put(*cluster, frame);
  EXPECT_FALSE(
      frame.plan({.v4 = {.hinted = false, .failing = {}}, .v6 = {}}).services.front().hinted);
  put(*cluster, frame);
  EXPECT_TRUE(
      frame.plan({.v4 = {.hinted = true, .failing = {}}, .v6 = {}}).services.front().hinted);
}

}  // namespace
}  // namespace proxima::plan
