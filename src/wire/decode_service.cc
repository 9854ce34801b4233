// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "wire/decode_objects.h"

namespace proxima::wire {
namespace {

using model::Bounded;
using model::limit_of;

constexpr std::size_t kMostServicePorts = limit_of(Bounded::ServicePorts).most_count();

model::ServiceType decode_type(const JsonObject& spec) {
  const std::string_view text = spec.text("type").value_or("");
  if (text.empty() || text == "ClusterIP") return model::ServiceType::ClusterIp;
  if (text == "NodePort") return model::ServiceType::NodePort;
  if (text == "LoadBalancer") return model::ServiceType::LoadBalancer;
  if (text == "ExternalName") return model::ServiceType::ExternalName;
  spec.report("type", "unknown type \"" + std::string(text) + "\"; taken as ClusterIP");
  return model::ServiceType::ClusterIp;
}

model::TrafficPolicy decode_traffic_policy(const JsonObject& spec, std::string_view key) {
  const std::string_view text = spec.text(key).value_or("");
  if (text == "Local") return model::TrafficPolicy::Local;
  if (!text.empty() && text != "Cluster")
    spec.report(key, "neither Cluster nor Local: \"" + std::string(text) + "\"");
  return model::TrafficPolicy::Cluster;
}

// targetPort: a number, or the name of a container port; 0, "" or nothing is the port itself.
void decode_target(const JsonObject& port, model::ServicePort& decoded, StringPool& names) {
  decoded.target_port = decoded.port;
  const auto target = port.find("targetPort");
  if (!target) return;
  std::string_view name;
  if (target->get(name) != simdjson::SUCCESS) {
    const auto number = port.port("targetPort", 0);
    if (number && *number != 0) decoded.target_port = *number;
  } else if (!name.empty()) {
    decoded.target_port = 0;
    decoded.target_name = names.intern(name);
  }
}

void decode_ports(const JsonObject& spec, model::ServiceDraft& draft, StringPool& names) {
  spec.report_longer("ports", kMostServicePorts);
  spec.first_objects("ports", kMostServicePorts, [&](const JsonObject& port) {
    const auto number = port.port("port");
    if (!number) {
      if (!port.has("port")) port.report("port", "missing");
      return;
    }
    model::ServicePort decoded;
    decoded.name = names.intern(port.text("name").value_or(""));
    decoded.protocol = decode_protocol(port, names);
    decoded.port = *number;
    decoded.node_port = port.port("nodePort", 0).value_or(0);
    decoded.app_protocol = decode_name(port, "appProtocol", names);
    decode_target(port, decoded, names);
    draft.ports.push_back(decoded);
  });
}

void set_family(model::Service& service, IpFamily family) {
  (family == IpFamily::V4 ? service.has_v4 : service.has_v6) = true;
}

void decode_cluster_ip(std::string_view text, const JsonObject& spec, const JsonPath* path,
                       model::Service& service) {
  if (text.empty()) return;
  if (text == "None") {
    service.headless = true;
    return;
  }
  auto address = IpAddress::parse(text);
  if (address) {
    set_family(service, address->family());
  } else if (path != nullptr) {
    spec.report_at(*path, address.error().message);
  } else {
    spec.report("clusterIP", address.error().message);
  }
}

// ipFamilies decides; without it the cluster addresses do; without both the builder does.
void decode_families(const JsonObject& spec, model::Service& service) {
  service.has_v4 = service.has_v6 = false;
  decode_cluster_ip(spec.text("clusterIP").value_or(""), spec, nullptr, service);
  spec.each_text("clusterIPs", [&](std::string_view text, const JsonPath& path) {
    decode_cluster_ip(text, spec, &path, service);
  });
  model::Service said;
  said.has_v4 = said.has_v6 = false;
  spec.each_text("ipFamilies", [&](std::string_view text, const JsonPath& path) {
    if (text == "IPv4") return set_family(said, IpFamily::V4);
    if (text == "IPv6") return set_family(said, IpFamily::V6);
    spec.report_at(path, "neither IPv4 nor IPv6: \"" + std::string(text) + "\"");
  });
  if (!said.has_v4 && !said.has_v6) return;
  service.has_v4 = said.has_v4;
  service.has_v6 = said.has_v6;
}

void decode_external_addresses(const JsonObject& object, const JsonObject& spec,
                               model::ServiceDraft& draft) {
  model::Service& service = draft.service;
  const JsonObject balancer = object.child("status").child("loadBalancer");
  const std::size_t most = most_service_addresses(draft.ports.size());
  spec.report_longer("externalIPs", most);
  balancer.report_longer("ingress", most);
  spec.report_longer("loadBalancerSourceRanges", limit_of(Bounded::SourceRanges).most_count());
  spec.each_text("externalIPs",
                 [&](std::string_view, const JsonPath&) { service.has_external_ips = true; });
  balancer.each_object("ingress", [&](const JsonObject& at) {
    if (!at.text("ip").value_or("").empty()) service.has_load_balancer_ip = true;
  });
}

}  // namespace

std::size_t most_service_addresses(std::size_t ports) {
  return std::min(limit_of(Bounded::ServiceAddresses).most_count(),
                  limit_of(Bounded::ServiceRoutes).most_count() / std::max<std::size_t>(ports, 1));
}

model::ServiceDraft decode_service(const JsonObject& object, ObjectName name, StringPool& names) {
  model::ServiceDraft draft;
  model::Service& service = draft.service;
  draft.ns = name.ns;
  service.name = name.name;
  const JsonObject metadata = object.child("metadata");
  const JsonObject annotations = metadata.child("annotations");
  draft.labels = decode_labels(metadata.child("labels"), names);
  service.routing = decode_routing(annotations, names);
  service.topology_mode = decode_name(annotations, model::kTopologyModeAnnotation, names);
  service.topology_aware_hints =
      decode_name(annotations, model::kTopologyAwareHintsAnnotation, names);

  const JsonObject spec = object.child("spec");
  service.type = decode_type(spec);
  service.internal_policy = decode_traffic_policy(spec, "internalTrafficPolicy");
  service.external_policy = decode_traffic_policy(spec, "externalTrafficPolicy");
  service.publish_not_ready = spec.boolean("publishNotReadyAddresses").value_or(false);
  service.has_selector = spec.has("selector");
  draft.selector = decode_labels(spec.child("selector"), names);
  service.traffic_distribution = decode_name(spec, "trafficDistribution", names);
  service.traffic_policy = decode_name(spec, "trafficPolicy", names);
  spec.each_text("topologyKeys", [&](std::string_view key, const JsonPath&) {
    draft.topology_keys.push_back(names.intern(key));
  });
  decode_ports(spec, draft, names);
  decode_families(spec, service);
  decode_external_addresses(object, spec, draft);
  return draft;
}

}  // namespace proxima::wire
