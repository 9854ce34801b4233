// SPDX-License-Identifier: Apache-2.0
#include "core/model/limits.h"
#include "kube/decode_endpoint_fields.h"

namespace proxima::kube {
namespace {

model::Condition decode_condition(const wire::JsonObject& conditions, std::string_view key) {
  const auto value = conditions.boolean(key);
  if (!value) return model::Condition::Unset;
  return *value ? model::Condition::True : model::Condition::False;
}

std::vector<Text> decode_hints(const wire::JsonObject& hints, std::string_view key,
                               RecordSharing& sharing) {
  std::vector<Text> decoded;
  hints.each_object(key, [&](const wire::JsonObject& hint) {
    if (const auto name = hint.text("name")) decoded.push_back(sharing.text(*name));
  });
  return decoded;
}

EndpointRecord decode_endpoint(const wire::JsonObject& endpoint, RecordSharing& sharing) {
  EndpointRecord record;
  endpoint.each_text("addresses", [&](std::string_view text, const wire::JsonPath&) {
    record.addresses.emplace_back(text);
  });
  const wire::JsonObject conditions = endpoint.child("conditions");
  record.ready = decode_condition(conditions, "ready");
  record.serving = decode_condition(conditions, "serving");
  record.terminating = decode_condition(conditions, "terminating");
  record.hostname = decode_text(endpoint, "hostname", sharing);
  record.node = decode_text(endpoint, "nodeName", sharing);
  record.zone = decode_text(endpoint, "zone", sharing);
  record.target = decode_target(endpoint, sharing);
  const wire::JsonObject hints = endpoint.child("hints");
  record.zone_hints = decode_hints(hints, "forZones", sharing);
  record.node_hints = decode_hints(hints, "forNodes", sharing);
  if (endpoint.has("deprecatedTopology"))
    record.deprecated_topology = decode_label_set(endpoint.child("deprecatedTopology"), sharing);
  return record;
}

OwnerReference decode_owner(const wire::JsonObject& owner, RecordSharing& sharing) {
  return {.api_version = decode_text(owner, "apiVersion", sharing),
          .kind = decode_text(owner, "kind", sharing),
          .name = decode_text(owner, "name", sharing),
          .uid = decode_text(owner, "uid", sharing),
          .controller = owner.boolean("controller"),
          .block_owner_deletion = owner.boolean("blockOwnerDeletion")};
}

void decode_slice_meta(const wire::JsonObject& metadata, RecordSharing& sharing,
                       EndpointSliceRecord& record) {
  record.meta = decode_meta(metadata, sharing);
  record.generation =
      decode_integer(metadata, "generation", limit_of(model::Bounded::SliceGeneration)).value_or(0);
  record.generate_name = decode_text(metadata, "generateName", sharing);
  record.labels = decode_label_set(metadata.child("labels"), sharing);
  record.service = record.labels->find(model::kServiceNameLabel);
  record.annotations = decode_all_annotations(metadata, sharing);
  metadata.each_object("ownerReferences", [&](const wire::JsonObject& owner) {
    record.owners.push_back(decode_owner(owner, sharing));
  });
  record.finalizers = decode_texts(metadata, "finalizers", sharing);
}

}  // namespace

std::string_view to_text(AddressType type) {
  switch (type) {
    case AddressType::IPv4:
      return "IPv4";
    case AddressType::IPv6:
      return "IPv6";
    case AddressType::Fqdn:
      return "FQDN";
  }
  return "IPv4";
}

std::optional<AddressType> parse_address_type(std::string_view text) {
  if (text == "IPv4") return AddressType::IPv4;
  if (text == "IPv6") return AddressType::IPv6;
  if (text == "FQDN") return AddressType::Fqdn;
  return std::nullopt;
}

template <>
Ref<const EndpointSliceRecord> decode_record(const wire::JsonObject& object,
                                             DecodeScratch& scratch) {
  RecordSharing& sharing = scratch.sharing();
  const std::string_view type_text = object.text("addressType").value_or("");
  const auto type = parse_address_type(type_text);
  if (!type) {
    object.report("addressType", "not IPv4, IPv6 or FQDN: \"" + std::string(type_text) + "\"");
    return {};
  }
  auto record = make_ref<EndpointSliceRecord>();
  record->address_type = *type;
  decode_slice_meta(object.child("metadata"), sharing, *record);
  object.each_object("endpoints", [&](const wire::JsonObject& endpoint) {
    record->endpoints.push_back(decode_endpoint(endpoint, sharing));
  });
  // Kept as they are written: who changes the slice must not lose any.
  object.report_longer("ports", model::limit_of(model::Bounded::ServicePorts).most_count());
  object.each_object("ports", [&](const wire::JsonObject& port) {
    record->ports.push_back(decode_endpoint_port(port, sharing));
  });
  return record;
}

}  // namespace proxima::kube
