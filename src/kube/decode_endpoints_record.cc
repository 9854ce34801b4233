// SPDX-License-Identifier: Apache-2.0
#include "kube/decode_endpoint_fields.h"

namespace proxima::kube {
namespace {

std::vector<EndpointsAddressRecord> decode_addresses(const wire::JsonObject& subset,
                                                     std::string_view key, RecordSharing& sharing) {
  std::vector<EndpointsAddressRecord> decoded;
  subset.each_object(key, [&](const wire::JsonObject& address) {
    EndpointsAddressRecord record;
    record.ip = Text(address.text("ip").value_or(""));
    if (!address.text("hostname").value_or("").empty())
      record.hostname = decode_text(address, "hostname", sharing);
    record.node = decode_text(address, "nodeName", sharing);
    record.target = decode_target(address, sharing);
    decoded.push_back(std::move(record));
  });
  return decoded;
}

EndpointsSubsetRecord decode_subset(const wire::JsonObject& subset, RecordSharing& sharing) {
  EndpointsSubsetRecord record;
  record.ready = decode_addresses(subset, "addresses", sharing);
  record.not_ready = decode_addresses(subset, "notReadyAddresses", sharing);
  subset.each_object("ports", [&](const wire::JsonObject& port) {
    EndpointPortRecord decoded = decode_endpoint_port(port, sharing);
    if (!decoded.name) decoded.name = sharing.text("");
    if (!decoded.protocol) decoded.protocol = sharing.text(to_text(Protocol::Tcp));
    record.ports.push_back(std::move(decoded));
  });
  return record;
}

}  // namespace

template <>
Ref<const EndpointsRecord> decode_record(const wire::JsonObject& object, DecodeScratch& scratch) {
  RecordSharing& sharing = scratch.sharing();
  const wire::JsonObject metadata = object.child("metadata");
  auto record = make_ref<EndpointsRecord>();
  record->meta = decode_meta(metadata, sharing);
  record->labels = decode_label_set(metadata.child("labels"), sharing);
  record->annotations = decode_all_annotations(metadata, sharing);
  object.each_object("subsets", [&](const wire::JsonObject& subset) {
    record->subsets.push_back(decode_subset(subset, sharing));
  });
  return record;
}

}  // namespace proxima::kube
