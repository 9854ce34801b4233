// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_endpoint_fields.h"

#include <algorithm>

#include "core/model/limits.h"

namespace proxima::kube {

std::optional<TargetRecord> decode_target(const wire::JsonObject& endpoint,
                                          RecordSharing& sharing) {
  if (!endpoint.has("targetRef")) return std::nullopt;
  const wire::JsonObject target = endpoint.child("targetRef");
  TargetRecord reference;
  reference.kind = decode_text(target, "kind", sharing);
  reference.ns = decode_text(target, "namespace", sharing);
  // Names and uids are nobody else's: the table would only grow by them.
  if (const auto name = target.text("name")) reference.name = Text(*name);
  if (const auto uid = target.text("uid")) reference.uid = Text(*uid);
  reference.api_version = decode_text(target, "apiVersion", sharing);
  if (const auto version = target.text("resourceVersion"))
    reference.resource_version = Text(*version);
  reference.field_path = decode_text(target, "fieldPath", sharing);
  return reference;
}

EndpointPortRecord decode_endpoint_port(const wire::JsonObject& port, RecordSharing& sharing) {
  EndpointPortRecord record;
  record.name = decode_text(port, "name", sharing);
  record.protocol = decode_text(port, "protocol", sharing);
  record.app_protocol = decode_text(port, "appProtocol", sharing);
  if (const auto number = decode_integer(port, "port", limit_of(model::Bounded::SlicePort)))
    record.port = static_cast<std::int32_t>(*number);
  return record;
}

LabelSetRef decode_all_annotations(const wire::JsonObject& metadata, RecordSharing& sharing) {
  std::vector<LabelText> annotations;
  metadata.child("annotations").each_member_text([&](std::string_view key, std::string_view value) {
    annotations.push_back({sharing.text(key), Text(value)});
  });
  std::sort(annotations.begin(), annotations.end(),
            [](const LabelText& a, const LabelText& b) { return a.key < b.key; });
  return LabelSetRef(new LabelSet(std::move(annotations)));
}

}  // namespace proxima::kube
