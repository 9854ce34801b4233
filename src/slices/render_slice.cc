// SPDX-License-Identifier: Apache-2.0
#include "slices/render_slice.h"

#include <charconv>
#include <string_view>

#include "base/json_text.h"

namespace proxima::slices {
namespace {

constexpr std::size_t kBytesOfSlice = 1024;
constexpr std::size_t kBytesOfEndpoint = 384;

// Members of the object that is open; a comma comes where one is due. Keys need no escapes, being
// ours.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  void open(char bracket) {
    comma();
    out_ += bracket;
    fresh_ = true;
  }
  void open(std::string_view key, char bracket) {
    name(key);
    out_ += bracket;
    fresh_ = true;
  }
  void close(char bracket) {
    out_ += bracket;
    fresh_ = false;
  }

  void text(std::string_view value) {
    comma();
    append_json_text(out_, value);
  }
  void text(std::string_view key, std::string_view value) {
    name(key);
    append_json_text(out_, value);
  }
  // A key that somebody else chose may hold anything.
  void foreign_key(std::string_view key, std::string_view value) {
    comma();
    append_json_text(out_, key);
    out_ += ':';
    append_json_text(out_, value);
  }
  void boolean(std::string_view key, bool value) {
    name(key);
    out_ += value ? "true" : "false";
  }
  void number(std::string_view key, std::int32_t value) {
    name(key);
    char digits[16];
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }

  // What Go calls a pointer: none is missing, empty is not.
  void optional(std::string_view key, const Text& value) {
    if (value) text(key, value.view());
  }
  // What Go calls a value that is omitted when empty.
  void non_empty(std::string_view key, std::string_view value) {
    if (!value.empty()) text(key, value);
  }
  void optional(std::string_view key, std::optional<bool> value) {
    if (value) boolean(key, *value);
  }
  void optional(std::string_view key, model::Condition value) {
    if (value != model::Condition::Unset) boolean(key, value == model::Condition::True);
  }

 private:
  void comma() {
    if (!fresh_) out_ += ',';
    fresh_ = false;
  }
  void name(std::string_view key) {
    comma();
    out_ += '"';
    out_ += key;
    out_ += "\":";
  }

  std::string& out_;
  bool fresh_ = true;  // nothing stands before the next value that needs a comma
};

void write_labels(std::string_view key, const kube::LabelSetRef& labels, JsonWriter& out) {
  if (!labels || labels->all().empty()) return;
  out.open(key, '{');
  for (const kube::LabelText& label : labels->all())
    out.foreign_key(label.key.view(), label.value.view());
  out.close('}');
}

void write_texts(std::string_view key, const std::vector<Text>& texts, JsonWriter& out) {
  out.open(key, '[');
  for (const Text& text : texts) out.text(text.view());
  out.close(']');
}

void write_owners(const std::vector<kube::OwnerReference>& owners, JsonWriter& out) {
  if (owners.empty()) return;
  out.open("ownerReferences", '[');
  for (const kube::OwnerReference& owner : owners) {
    out.open('{');
    out.text("apiVersion", owner.api_version.view());
    out.text("kind", owner.kind.view());
    out.text("name", owner.name.view());
    out.text("uid", owner.uid.view());
    out.optional("controller", owner.controller);
    out.optional("blockOwnerDeletion", owner.block_owner_deletion);
    out.close('}');
  }
  out.close(']');
}

void write_metadata(const kube::EndpointSliceRecord& slice, JsonWriter& out) {
  out.open("metadata", '{');
  out.non_empty("name", slice.meta.name.view());
  out.non_empty("generateName", slice.generate_name.view());
  out.non_empty("namespace", slice.meta.ns.view());
  if (slice.meta.version != 0) out.text("resourceVersion", std::to_string(slice.meta.version));
  write_labels("labels", slice.labels, out);
  write_labels("annotations", slice.annotations, out);
  write_owners(slice.owners, out);
  if (!slice.finalizers.empty()) write_texts("finalizers", slice.finalizers, out);
  out.close('}');
}

void write_target(const kube::TargetRecord& target, JsonWriter& out) {
  out.open("targetRef", '{');
  out.non_empty("kind", target.kind.view());
  out.non_empty("namespace", target.ns.view());
  out.non_empty("name", target.name.view());
  out.non_empty("uid", target.uid.view());
  out.non_empty("apiVersion", target.api_version.view());
  out.non_empty("resourceVersion", target.resource_version.view());
  out.non_empty("fieldPath", target.field_path.view());
  out.close('}');
}

void write_names(std::string_view key, const std::vector<Text>& names, JsonWriter& out) {
  if (names.empty()) return;
  out.open(key, '[');
  for (const Text& name : names) {
    out.open('{');
    out.text("name", name.view());
    out.close('}');
  }
  out.close(']');
}

void write_endpoint(const kube::EndpointRecord& endpoint, JsonWriter& out) {
  out.open('{');
  write_texts("addresses", endpoint.addresses, out);
  out.open("conditions", '{');
  out.optional("ready", endpoint.ready);
  out.optional("serving", endpoint.serving);
  out.optional("terminating", endpoint.terminating);
  out.close('}');
  out.optional("hostname", endpoint.hostname);
  if (endpoint.target) write_target(*endpoint.target, out);
  write_labels("deprecatedTopology", endpoint.deprecated_topology, out);
  out.optional("nodeName", endpoint.node);
  out.optional("zone", endpoint.zone);
  if (!endpoint.zone_hints.empty() || !endpoint.node_hints.empty()) {
    out.open("hints", '{');
    write_names("forZones", endpoint.zone_hints, out);
    write_names("forNodes", endpoint.node_hints, out);
    out.close('}');
  }
  out.close('}');
}

void write_port(const kube::EndpointPortRecord& port, JsonWriter& out) {
  out.open('{');
  out.optional("name", port.name);
  out.optional("protocol", port.protocol);
  if (port.port) out.number("port", *port.port);
  out.optional("appProtocol", port.app_protocol);
  out.close('}');
}

}  // namespace

std::string render_slice(const SliceDraft& draft) {
  const kube::EndpointSliceRecord& slice = draft.value;
  std::string text;
  text.reserve(kBytesOfSlice + kBytesOfEndpoint * slice.endpoints.size());
  JsonWriter out(text);
  out.open('{');
  out.text("apiVersion", "discovery.k8s.io/v1");
  out.text("kind", "EndpointSlice");
  write_metadata(slice, out);
  out.text("addressType", kube::to_text(slice.address_type));
  out.open("endpoints", '[');
  for (const kube::EndpointRecord& endpoint : slice.endpoints) write_endpoint(endpoint, out);
  out.close(']');
  out.open("ports", '[');
  for (const kube::EndpointPortRecord& port : slice.ports) write_port(port, out);
  out.close(']');
  out.close('}');
  return text;
}

}  // namespace proxima::slices
