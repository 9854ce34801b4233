// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_fields.h"
#include "wire/decode_objects.h"

namespace proxima::kube {
namespace {

constexpr std::string_view kToBeDeletedTaint = "ToBeDeletedByClusterAutoscaler";

void decode_addresses(const wire::JsonObject& status, NodeRecord& record) {
  status.each_object("addresses", [&](const wire::JsonObject& entry) {
    const auto type = entry.text("type");
    const bool internal = type == "InternalIP";
    if (!internal && type != "ExternalIP") return;
    const auto address = IpAddress::parse(entry.text("address").value_or(""));
    if (address) {
      (internal ? record.internal_ips : record.external_ips).push_back(*address);
    } else {
      entry.report("address", address.error().message);
    }
  });
}

}  // namespace

template <>
Ref<const NodeRecord> decode_record(const wire::JsonObject& object, DecodeScratch& scratch) {
  StringPool& names = scratch.names();
  RecordSharing& sharing = scratch.sharing();
  const model::NodeDraft draft = wire::decode_node(object, {}, names);
  auto record = make_ref<NodeRecord>();
  record->meta = decode_meta(object.child("metadata"), sharing);
  record->labels = scratch.shared(draft.labels);
  record->cpu = draft.cpu;
  record->traffic = draft.traffic;
  record->ready = draft.ready;
  const wire::JsonObject spec = object.child("spec");
  record->unschedulable = spec.boolean("unschedulable").value_or(false);
  spec.each_object("taints", [&](const wire::JsonObject& taint) {
    if (taint.text("key") == kToBeDeletedTaint) record->to_be_deleted = true;
  });
  record->pod_cidrs = decode_texts(spec, "podCIDRs", sharing);
  decode_addresses(object.child("status"), *record);
  return record;
}

template <>
Ref<const NamespaceRecord> decode_record(const wire::JsonObject& object, DecodeScratch& scratch) {
  const wire::JsonObject metadata = object.child("metadata");
  auto record = make_ref<NamespaceRecord>();
  record->meta = decode_meta(metadata, scratch.sharing());
  record->annotations = decode_known_annotations(metadata, scratch.sharing());
  return record;
}

}  // namespace proxima::kube
