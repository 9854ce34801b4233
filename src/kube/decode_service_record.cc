// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_fields.h"
#include "wire/decode_objects.h"

namespace proxima::kube {
namespace {

constexpr std::int64_t kDefaultAffinitySeconds = 10'800;
constexpr std::size_t kMostSourceRanges =
    model::limit_of(model::Bounded::SourceRanges).most_count();

std::optional<IpAddress> readable(std::string_view text) {
  const auto address = IpAddress::parse(text);
  return address ? std::optional(*address) : std::nullopt;
}

// wire/decode_service has reported what cannot be read.
void decode_cluster_ips(const wire::JsonObject& spec, ServiceRecord& record) {
  auto add = [&](std::string_view text) {
    if (const auto address = readable(text)) record.cluster_ips.push_back(*address);
  };
  spec.each_text("clusterIPs", [&](std::string_view text, const wire::JsonPath&) { add(text); });
  if (!spec.has("clusterIPs")) add(spec.text("clusterIP").value_or(""));
  spec.each_text("ipFamilies", [&](std::string_view text, const wire::JsonPath&) {
    if (text == "IPv4") record.ip_families.push_back(IpFamily::V4);
    if (text == "IPv6") record.ip_families.push_back(IpFamily::V6);
  });
}

// wire/decode_service has reported lists that are too long.
void decode_external(const wire::JsonObject& object, const wire::JsonObject& spec,
                     ServiceRecord& record) {
  const std::size_t most = wire::most_service_addresses(record.ports.size());
  spec.first_texts("externalIPs", most, [&](std::string_view text, const wire::JsonPath& path) {
    record.has_external_ips = true;
    const auto address = IpAddress::parse(text);
    if (address) {
      record.external_ips.push_back(*address);
    } else {
      spec.report_at(path, address.error().message);
    }
  });
  const wire::JsonObject balancer = object.child("status").child("loadBalancer");
  balancer.first_objects("ingress", most, [&](const wire::JsonObject& ingress) {
    const auto address = readable(ingress.text("ip").value_or(""));
    if (!address) return;
    const IpMode mode = ingress.text("ipMode") == "Proxy" ? IpMode::Proxy : IpMode::Vip;
    record.load_balancer.push_back({*address, mode});
  });
}

void decode_conditions(const wire::JsonObject& status, RecordSharing& sharing,
                       ServiceRecord& record) {
  status.each_object("conditions", [&](const wire::JsonObject& condition) {
    if (!condition.text("type").value_or("").starts_with("proxima.io/")) return;
    record.conditions.push_back({.type = decode_text(condition, "type", sharing),
                                 .status = decode_text(condition, "status", sharing),
                                 .reason = decode_text(condition, "reason", sharing),
                                 .message = decode_text(condition, "message", sharing)});
  });
}

void decode_affinity(const wire::JsonObject& spec, ServiceRecord& record) {
  record.client_ip_affinity = spec.text("sessionAffinity") == "ClientIP";
  if (!record.client_ip_affinity) return;
  const wire::JsonObject client_ip = spec.child("sessionAffinityConfig").child("clientIP");
  const model::Limit& bounds = limit_of(model::Bounded::AffinitySeconds);
  record.affinity_seconds = static_cast<std::uint32_t>(
      decode_integer(client_ip, "timeoutSeconds", bounds).value_or(kDefaultAffinitySeconds));
}

void set_ports(const model::ServiceDraft& draft, const StringPool& names, DecodeScratch& scratch,
               ServiceRecord& record) {
  for (const model::ServicePort& port : draft.ports)
    record.ports.push_back({.name = scratch.shared(port.name),
                            .protocol = parse_protocol(names[port.protocol]),
                            .port = port.port,
                            .node_port = port.node_port,
                            .target_port = port.target_port,
                            .target_name = scratch.shared(port.target_name),
                            .app_protocol = scratch.shared(port.app_protocol)});
}

void set_from_draft(const model::ServiceDraft& draft, const StringPool& names,
                    DecodeScratch& scratch, ServiceRecord& record) {
  const model::Service& service = draft.service;
  record.type = service.type;
  record.internal_policy = service.internal_policy;
  record.external_policy = service.external_policy;
  record.headless = service.headless;
  record.publish_not_ready = service.publish_not_ready;
  record.has_v4 = service.has_v4;
  record.has_v6 = service.has_v6;
  record.labels = scratch.shared(draft.labels);
  if (service.has_selector) record.selector = scratch.shared(draft.selector);
  record.traffic_distribution = scratch.shared(service.traffic_distribution);
  record.traffic_policy = scratch.shared(service.traffic_policy);
  for (const NameId key : draft.topology_keys) record.topology_keys.push_back(scratch.shared(key));
  set_ports(draft, names, scratch, record);
}

}  // namespace

template <>
Ref<const ServiceRecord> decode_record(const wire::JsonObject& object, DecodeScratch& scratch) {
  StringPool& names = scratch.names();
  RecordSharing& sharing = scratch.sharing();
  const wire::JsonObject metadata = object.child("metadata");
  auto record = make_ref<ServiceRecord>();
  record->meta = decode_meta(metadata, sharing);
  record->annotations = decode_known_annotations(metadata, sharing);
  set_from_draft(wire::decode_service(object, {}, names), names, scratch, *record);
  const wire::JsonObject spec = object.child("spec");
  decode_cluster_ips(spec, *record);
  decode_external(object, spec, *record);
  decode_conditions(object.child("status"), sharing, *record);
  decode_affinity(spec, *record);
  record->health_check_node_port = spec.port("healthCheckNodePort", 0).value_or(0);
  spec.first_texts("loadBalancerSourceRanges", kMostSourceRanges,
                   [&](std::string_view text, const wire::JsonPath&) {
                     record->source_ranges.push_back(sharing.text(text));
                   });
  return record;
}

}  // namespace proxima::kube
