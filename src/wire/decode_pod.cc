// SPDX-License-Identifier: Apache-2.0
#include "wire/decode_objects.h"

namespace proxima::wire {
namespace {

constexpr std::string_view kTemplateHashLabel = "pod-template-hash";

// The workload that a person would name: a Deployment's Pods belong to a ReplicaSet called
// "<deployment>-<hash>", where the hash is a label of the Pod too.
NameId decode_owner(const JsonObject& metadata, StringPool& names) {
  NameId owner;
  metadata.each_object("ownerReferences", [&](const JsonObject& reference) {
    if (owner || reference.boolean("controller") != true) return;
    std::string_view kind = reference.text("kind").value_or("");
    std::string_view name = reference.text("name").value_or("");
    const auto hash = metadata.child("labels").text(kTemplateHashLabel);
    if (kind == "ReplicaSet" && hash && !hash->empty() && name.size() > hash->size() + 1 &&
        name.ends_with(*hash) && name[name.size() - hash->size() - 1] == '-') {
      kind = "Deployment";
      name.remove_suffix(hash->size() + 1);
    }
    owner = names.intern(std::string(kind) + "/" + std::string(name));
  });
  return owner;
}

float decode_weight(const JsonObject& annotations) {
  const auto weight = decode_number_text(annotations, model::kWeightAnnotation,
                                         model::limit_of(model::Bounded::PodWeight));
  return static_cast<float>(weight.value_or(1));
}

model::PodPhase decode_phase(const JsonObject& status) {
  const std::string_view text = status.text("phase").value_or("Pending");
  if (text == "Running") return model::PodPhase::Running;
  if (text == "Pending" || text.empty()) return model::PodPhase::Pending;
  if (text == "Succeeded") return model::PodPhase::Succeeded;
  if (text == "Failed") return model::PodPhase::Failed;
  if (text != "Unknown") status.report("phase", "unknown phase \"" + std::string(text) + "\"");
  return model::PodPhase::Unknown;
}

void decode_address(const JsonObject& holder, std::string_view key, model::PodDraft& draft) {
  const auto text = holder.text(key);
  if (!text || text->empty()) return;
  auto address = IpAddress::parse(*text);
  if (address) {
    draft.addresses.push_back(*address);
  } else {
    holder.report(key, address.error().message);
  }
}

// An API server fills podIPs from podIP; old and hand-written objects have only the latter.
void decode_addresses(const JsonObject& status, model::PodDraft& draft) {
  status.each_object("podIPs",
                     [&](const JsonObject& holder) { decode_address(holder, "ip", draft); });
  if (!status.has("podIPs")) decode_address(status, "podIP", draft);
}

// Only named ports can be asked for.
void decode_container_ports(const JsonObject& container, model::PodDraft& draft,
                            StringPool& names) {
  container.each_object("ports", [&](const JsonObject& port) {
    const auto name = port.text("name");
    const auto number = port.port("containerPort");
    if (!name || name->empty() || !number) return;
    draft.container_ports.push_back({names.intern(*name), decode_protocol(port, names), *number});
  });
}

}  // namespace

model::PodDraft decode_pod(const JsonObject& pod, ObjectName name, StringPool& names) {
  model::PodDraft draft;
  draft.ns = name.ns;
  draft.pod.name = name.name;
  const JsonObject metadata = pod.child("metadata");
  draft.labels = decode_labels(metadata.child("labels"), names);
  draft.pod.owner = decode_owner(metadata, names);
  draft.pod.weight = decode_weight(metadata.child("annotations"));
  draft.pod.terminating = metadata.has("deletionTimestamp");

  const JsonObject spec = pod.child("spec");
  if (const auto node = spec.text("nodeName"); node && !node->empty())
    draft.pod.node_name = names.intern(*node);
  draft.pod.hostname = decode_name(spec, "hostname", names);
  draft.pod.subdomain = decode_name(spec, "subdomain", names);
  spec.each_object("containers", [&](const JsonObject& container) {
    decode_container_ports(container, draft, names);
  });
  spec.each_object("initContainers", [&](const JsonObject& container) {
    if (container.text("restartPolicy") == "Always")
      decode_container_ports(container, draft, names);
  });

  const JsonObject status = pod.child("status");
  draft.pod.phase = decode_phase(status);
  draft.pod.ready = has_ready_condition(status);
  decode_addresses(status, draft);
  return draft;
}

}  // namespace proxima::wire
