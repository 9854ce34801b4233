// SPDX-License-Identifier: Apache-2.0
#include "core/model/excerpt.h"

namespace proxima::model {
namespace {

// Carries names from one snapshot's pool to another's.
class Copier {
 public:
  Copier(const Snapshot& from, StringPool& to) : from_(from), to_(to) {}

  NameId name(NameId id) const { return id ? to_.intern(from_.names[id]) : NameId(); }

  std::vector<Label> labels(Range range) const {
    std::vector<Label> out;
    for (const Label& label : Snapshot::part(from_.labels, range)) {
      out.push_back({name(label.key), name(label.value)});
    }
    return out;
  }

  RoutingTexts routing(const RoutingTexts& texts) const {
    return {.policy = name(texts.policy),
            .overload = name(texts.overload),
            .topology_keys = name(texts.topology_keys),
            .demand = name(texts.demand),
            .min_local_endpoints = name(texts.min_local_endpoints),
            .node_first = name(texts.node_first),
            .panic = name(texts.panic),
            .auto_start = name(texts.auto_start),
            .auto_stop = name(texts.auto_stop),
            .failover = name(texts.failover),
            .fallback = name(texts.fallback)};
  }

  NodeDraft node(const Node& node) const {
    return {.name = name(node.name),
            .labels = labels(node.labels),
            .cpu = node.cpu,
            .traffic = node.traffic,
            .ready = node.ready};
  }

  ServiceDraft service(const Service& service) const {
    ServiceDraft draft;
    draft.service = service;
    draft.ns = name(from_.namespaces[service.ns.value()].name);
    draft.service.name = name(service.name);
    draft.service.topology_aware_hints = name(service.topology_aware_hints);
    draft.service.topology_mode = name(service.topology_mode);
    draft.service.traffic_distribution = name(service.traffic_distribution);
    draft.service.traffic_policy = name(service.traffic_policy);
    draft.service.routing = routing(service.routing);
    draft.labels = labels(service.labels);
    draft.selector = labels(service.selector);
    for (NameId key : Snapshot::part(from_.names_pool, service.topology_key_fields)) {
      draft.topology_keys.push_back(name(key));
    }
    for (ServicePort port : Snapshot::part(from_.service_ports, service.ports)) {
      port.name = name(port.name);
      port.protocol = name(port.protocol);
      port.target_name = name(port.target_name);
      port.app_protocol = name(port.app_protocol);
      draft.ports.push_back(port);
    }
    return draft;
  }

  EndpointDraft endpoint(const Endpoint& endpoint) const {
    EndpointDraft draft{
        .address = endpoint.address,
        .node = endpoint.node ? to_.intern(from_.node_name(endpoint.node)) : NameId(),
        .zone = endpoint.zone ? to_.intern(from_.zone_name(endpoint.zone)) : NameId(),
        .pod = name(endpoint.pod),
        .ready = endpoint.ready,
        .serving = endpoint.serving,
        .terminating = endpoint.terminating,
        .weight = endpoint.weight};
    const auto hints = std::span(from_.hints).subspan(endpoint.hints);
    // A name that no zone and no node can have keeps a hint for nobody what it is.
    constexpr std::string_view kNobody = "?";
    for (std::size_t i = 0; i < endpoint.zone_hint_count; ++i) {
      draft.zone_hints.push_back(
          to_.intern(hints[i] == kUnknownHint ? kNobody : from_.zone_name(ZoneIndex(hints[i]))));
    }
    for (const std::uint32_t node :
         hints.subspan(endpoint.zone_hint_count, endpoint.node_hint_count)) {
      draft.node_hints.push_back(
          to_.intern(node == kUnknownHint ? kNobody : from_.node_name(NodeIndex(node))));
    }
    return draft;
  }

  SliceDraft slice(const EndpointSlice& slice) const {
    const Service& service = from_.services[slice.service.value()];
    SliceDraft draft{.ns = name(from_.namespaces[service.ns.value()].name),
                     .name = name(slice.name),
                     .service = name(service.name),
                     .family = slice.family,
                     .managed_by_controller = slice.managed_by_controller,
                     .managed_by_other = slice.foreign,
                     .published = {.split = name(slice.published.split),
                                   .routing = name(slice.published.routing),
                                   .version = slice.published.version}};
    for (const Endpoint& one : Snapshot::part(from_.endpoints, slice.endpoints)) {
      draft.endpoints.push_back(endpoint(one));
    }
    for (EndpointPort port : Snapshot::part(from_.endpoint_ports, slice.ports)) {
      port.name = name(port.name);
      port.protocol = name(port.protocol);
      port.app_protocol = name(port.app_protocol);
      draft.ports.push_back(port);
    }
    return draft;
  }

 private:
  const Snapshot& from_;
  StringPool& to_;
};

}  // namespace

Excerpt excerpt_of_service(const Snapshot& snapshot, ServiceIndex service) {
  Excerpt excerpt;
  const Copier copy(snapshot, excerpt.builder.names());
  const Service& object = snapshot.services[service.value()];
  for (const Node& node : snapshot.nodes) excerpt.nodes.push_back(copy.node(node));
  const Namespace& ns = snapshot.namespaces[object.ns.value()];
  excerpt.ns = {.name = copy.name(ns.name), .routing = copy.routing(ns.routing)};
  excerpt.service = copy.service(object);
  for (const EndpointSlice& slice : Snapshot::part(snapshot.slices, object.slices)) {
    excerpt.slices.push_back(copy.slice(slice));
  }
  return excerpt;
}

SnapshotPtr Excerpt::build() && {
  for (const NodeDraft& node : nodes) builder.add(node);
  builder.add(ns);
  builder.add(service);
  for (const SliceDraft& slice : slices) builder.add(slice);
  return builder.build();
}

}  // namespace proxima::model
