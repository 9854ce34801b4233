// SPDX-License-Identifier: Apache-2.0
#include "kube/record_draft.h"

#include "core/model/labels.h"

namespace proxima::kube {
namespace {

constexpr std::string_view kControllerIdentity = "endpointslice-controller.k8s.io";

NameId interned(const Text& text, StringPool& names) {
  return text ? names.intern(text.view()) : NameId();
}

// A server gives every such object a namespace; one that does not must not bring down the planner.
NameId interned_namespace(const Text& ns, StringPool& names) {
  return names.intern(ns.view().empty() ? "default" : ns.view());
}

std::vector<NameId> interned(const std::vector<Text>& texts, StringPool& names) {
  std::vector<NameId> ids;
  ids.reserve(texts.size());
  for (const Text& text : texts) ids.push_back(interned(text, names));
  return ids;
}

std::vector<model::Label> interned(const LabelSetRef& labels, StringPool& names) {
  std::vector<model::Label> ids;
  if (!labels) return ids;
  ids.reserve(labels->all().size());
  for (const LabelText& label : labels->all())
    ids.push_back({names.intern(label.key.view()), names.intern(label.value.view())});
  return ids;
}

model::RoutingTexts routing(const LabelSetRef& annotations, StringPool& names) {
  auto text = [&](std::string_view key) { return interned(label(annotations, key), names); };
  return {.policy = text(model::kPolicyAnnotation),
          .overload = text(model::kOverloadAnnotation),
          .topology_keys = text(model::kTopologyKeysAnnotation),
          .demand = text(model::kDemandAnnotation),
          .min_local_endpoints = text(model::kMinLocalEndpointsAnnotation),
          .node_first = text(model::kNodeFirstAnnotation),
          .panic = text(model::kPanicAnnotation),
          .auto_start = text(model::kAutoStartAnnotation),
          .auto_stop = text(model::kAutoStopAnnotation),
          .failover = text(model::kFailoverAnnotation),
          .fallback = text(model::kFallbackAnnotation)};
}

std::vector<model::ServicePort> draft_ports(const ServiceRecord& service, StringPool& names) {
  std::vector<model::ServicePort> ports;
  for (const ServicePortRecord& port : service.ports)
    ports.push_back({.name = interned(port.name, names),
                     .protocol = names.intern(to_text(port.protocol)),
                     .port = port.port,
                     .node_port = port.node_port,
                     .target_port = port.target_port,
                     .target_name = interned(port.target_name, names),
                     .app_protocol = interned(port.app_protocol, names)});
  return ports;
}

// Consumers use the first address that they can use.
std::optional<IpAddress> first_address(const EndpointRecord& endpoint, IpFamily family) {
  for (const Text& text : endpoint.addresses) {
    const auto address = IpAddress::parse(text.view());
    if (address && address->family() == family) return *address;
  }
  return std::nullopt;
}

model::EndpointDraft draft_endpoint(const EndpointRecord& endpoint, const IpAddress& address,
                                    StringPool& names) {
  model::EndpointDraft draft;
  draft.address = address;
  draft.node = interned(endpoint.node, names);
  draft.zone = interned(endpoint.zone, names);
  draft.ready = endpoint.ready;
  draft.serving = endpoint.serving;
  draft.terminating = endpoint.terminating;
  draft.zone_hints = interned(endpoint.zone_hints, names);
  draft.node_hints = interned(endpoint.node_hints, names);
  if (endpoint.target && endpoint.target->kind.view() == "Pod") {
    draft.pod = interned(endpoint.target->name, names);
    draft.pod_ns = interned(endpoint.target->ns, names);
  }
  return draft;
}

model::EndpointPort draft_port(const EndpointPortRecord& port, StringPool& names) {
  const bool in_range = port.port && *port.port >= 0 && *port.port <= 65535;
  return {.name = names.intern(port.name.view()),
          .protocol = names.intern(to_text(parse_protocol(port.protocol.view()))),
          .port = in_range ? static_cast<std::uint16_t>(*port.port) : std::uint16_t{0},
          .app_protocol = interned(port.app_protocol, names)};
}

}  // namespace

model::PodDraft to_draft(const PodRecord& pod, StringPool& names) {
  model::PodDraft draft;
  draft.ns = interned_namespace(pod.ns, names);
  draft.pod.name = interned(pod.name, names);
  draft.pod.node_name = interned(pod.node, names);
  draft.pod.owner = interned(pod.workload->owner, names);
  draft.pod.hostname = interned(pod.hostname, names);
  draft.pod.subdomain = interned(pod.workload->subdomain, names);
  draft.pod.weight = pod.workload->weight;
  draft.pod.phase = pod.phase;
  draft.pod.ready = pod.ready;
  draft.pod.terminating = pod.terminating;
  draft.labels = interned(pod.labels, names);
  const auto addresses = pod.addresses.all();
  draft.addresses.assign(addresses.begin(), addresses.end());
  for (const ContainerPortRecord& port : pod.workload->ports)
    draft.container_ports.push_back(
        {interned(port.name, names), names.intern(to_text(port.protocol)), port.port});
  return draft;
}

model::Service to_routing(const ServiceRecord& service, StringPool& names) {
  model::Service draft;
  draft.name = interned(service.meta.name, names);
  draft.type = service.type;
  draft.internal_policy = service.internal_policy;
  draft.external_policy = service.external_policy;
  draft.headless = service.headless;
  draft.has_selector = static_cast<bool>(service.selector);
  draft.publish_not_ready = service.publish_not_ready;
  draft.has_external_ips = service.has_external_ips;
  draft.has_load_balancer_ip = !service.load_balancer.empty();
  draft.has_v4 = service.has_v4;
  draft.has_v6 = service.has_v6;
  draft.topology_aware_hints =
      interned(label(service.annotations, model::kTopologyAwareHintsAnnotation), names);
  draft.topology_mode = interned(label(service.annotations, model::kTopologyModeAnnotation), names);
  draft.traffic_distribution = interned(service.traffic_distribution, names);
  draft.traffic_policy = interned(service.traffic_policy, names);
  draft.routing = routing(service.annotations, names);
  return draft;
}

model::ServiceDraft to_draft(const ServiceRecord& service, StringPool& names) {
  model::ServiceDraft draft;
  draft.service = to_routing(service, names);
  draft.ns = interned_namespace(service.meta.ns, names);
  draft.ports = draft_ports(service, names);
  draft.labels = interned(service.labels, names);
  draft.selector = interned(service.selector, names);
  draft.topology_keys = interned(service.topology_keys, names);
  return draft;
}

model::NodeDraft to_draft(const NodeRecord& node, StringPool& names) {
  model::NodeDraft draft;
  draft.name = interned(node.meta.name, names);
  draft.labels = interned(node.labels, names);
  draft.cpu = node.cpu;
  draft.traffic = node.traffic;
  draft.ready = node.ready;
  return draft;
}

model::Namespace to_draft(const NamespaceRecord& ns, StringPool& names) {
  return {.name = interned(ns.meta.name, names), .routing = routing(ns.annotations, names)};
}

std::optional<model::SliceDraft> to_draft(const EndpointSliceRecord& slice, StringPool& names) {
  if (slice.address_type == AddressType::Fqdn) return std::nullopt;
  model::SliceDraft draft;
  draft.ns = interned_namespace(slice.meta.ns, names);
  draft.name = interned(slice.meta.name, names);
  draft.service = interned(slice.service, names);
  draft.family = slice.address_type == AddressType::IPv4 ? IpFamily::V4 : IpFamily::V6;
  const Text manager = label(slice.labels, model::kManagedByLabel);
  draft.managed_by_controller = manager.view() == kControllerIdentity;
  draft.managed_by_other = !manager.view().empty() && !draft.managed_by_controller;
  draft.published.version = slice.meta.version;
  draft.published.split = interned(label(slice.annotations, model::kZoneSplitAnnotation), names);
  for (const EndpointPortRecord& port : slice.ports) draft.ports.push_back(draft_port(port, names));
  for (const EndpointRecord& endpoint : slice.endpoints)
    if (const auto address = first_address(endpoint, draft.family))
      draft.endpoints.push_back(draft_endpoint(endpoint, *address, names));
  if (draft.endpoints.size() == slice.endpoints.size())
    draft.published.routing = interned(label(slice.annotations, model::kRoutingAnnotation), names);
  return draft;
}

}  // namespace proxima::kube
