// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_fields.h"
#include "wire/decode_objects.h"

namespace proxima::kube {
namespace {

PodWorkload workload_of(const wire::JsonObject& spec, const model::PodDraft& draft,
                        const StringPool& names, DecodeScratch& scratch) {
  PodWorkload workload;
  if (spec.has("nodeSelector"))
    workload.node_selector = decode_label_set(spec.child("nodeSelector"), scratch.sharing());
  workload.owner = scratch.shared(draft.pod.owner);
  workload.subdomain = scratch.shared(draft.pod.subdomain);
  workload.weight = draft.pod.weight;
  for (const model::ContainerPort& port : draft.container_ports)
    workload.ports.push_back({.name = scratch.shared(port.name),
                              .protocol = parse_protocol(names[port.protocol]),
                              .port = port.port});
  return workload;
}

void decode_ready_condition(const wire::JsonObject& status, PodRecord& record) {
  status.each_object("conditions", [&](const wire::JsonObject& condition) {
    if (condition.text("type") != "Ready") return;
    record.has_ready_condition = true;
    record.ready_changed = decode_time(condition, "lastTransitionTime");
  });
}

void set_addresses(const wire::JsonObject& status, const model::PodDraft& draft,
                   PodRecord& record) {
  for (const IpAddress& address : draft.addresses)
    if (!record.addresses.add(address))
      status.report("podIPs", "more than two; " + address.text() + " is left out");
}

}  // namespace

template <>
Ref<const PodRecord> decode_record(const wire::JsonObject& object, DecodeScratch& scratch) {
  StringPool& names = scratch.names();
  const wire::JsonObject metadata = object.child("metadata");
  const wire::ObjectName name = {wire::decode_name(metadata, "namespace", names),
                                 wire::decode_name(metadata, "name", names)};
  const model::PodDraft draft = wire::decode_pod(object, name, names);
  auto record = make_ref<PodRecord>();
  record->phase = draft.pod.phase;
  record->ready = draft.pod.ready;
  record->terminating = draft.pod.terminating;
  record->ends_at = decode_time(metadata, "deletionTimestamp");
  record->version = parse_version(metadata.text("resourceVersion").value_or(""));
  record->workload =
      scratch.sharing().workload(workload_of(object.child("spec"), draft, names, scratch));
  record->labels = scratch.shared(draft.labels);
  record->ns = scratch.shared(draft.ns);
  record->name = Text(names[draft.pod.name]);
  if (const auto uid = metadata.text("uid")) record->uid = Text(*uid);
  record->node = scratch.shared(draft.pod.node_name);
  record->hostname = scratch.shared(draft.pod.hostname);
  const wire::JsonObject status = object.child("status");
  set_addresses(status, draft, *record);
  decode_ready_condition(status, *record);
  return record;
}

}  // namespace proxima::kube
