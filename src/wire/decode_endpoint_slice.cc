// SPDX-License-Identifier: Apache-2.0
#include "wire/decode_objects.h"

#include "core/model/resource_version.h"

namespace proxima::wire {
namespace {

constexpr std::size_t kMostSlicePorts = model::limit_of(model::Bounded::ServicePorts).most_count();
constexpr std::string_view kControllerIdentity = "endpointslice-controller.k8s.io";

std::optional<IpFamily> decode_family(const JsonObject& slice) {
  const auto text = slice.text("addressType");
  if (text == "IPv4") return IpFamily::V4;
  if (text == "IPv6") return IpFamily::V6;
  if (text) {
    slice.report("addressType", "not IPv4, IPv6 or FQDN: \"" + std::string(*text) + "\"");
  } else if (!slice.has("addressType")) {
    slice.report("addressType", "missing");
  }
  return std::nullopt;
}

// Consumers use the first address; one that cannot be used is as good as not there.
std::optional<IpAddress> decode_address(const JsonObject& endpoint, IpFamily family) {
  std::optional<IpAddress> first;
  endpoint.each_text("addresses", [&](std::string_view text, const JsonPath& path) {
    auto address = IpAddress::parse(text);
    if (!address) {
      endpoint.report_at(path, address.error().message);
    } else if (address->family() != family) {
      endpoint.report_at(path,
                         "\"" + std::string(text) + "\" is not " + std::string(to_text(family)));
    } else if (!first) {
      first = *address;
    }
  });
  if (!first) endpoint.report("addresses", "none that can be used; the endpoint is left out");
  return first;
}

model::Condition decode_condition(const JsonObject& conditions, std::string_view key) {
  const auto value = conditions.boolean(key);
  if (!value) return model::Condition::Unset;
  return *value ? model::Condition::True : model::Condition::False;
}

std::vector<NameId> decode_hints(const JsonObject& hints, std::string_view key, StringPool& names) {
  std::vector<NameId> decoded;
  hints.each_object(key, [&](const JsonObject& hint) {
    if (const auto name = hint.text("name")) decoded.push_back(names.intern(*name));
  });
  if (decoded.size() > model::kMaxHints)
    hints.report(key, std::to_string(decoded.size()) + " hints; only the first " +
                          std::to_string(model::kMaxHints) + " count");
  return decoded;
}

// v1beta1 had a map of labels where v1 has nodeName and zone.
void decode_place(const JsonObject& endpoint, model::EndpointDraft& draft, StringPool& names) {
  const JsonObject topology = endpoint.child("topology");
  draft.node = decode_name(endpoint, "nodeName", names);
  if (!draft.node) draft.node = decode_name(topology, model::kHostnameLabel, names);
  draft.zone = decode_name(endpoint, "zone", names);
  if (!draft.zone) draft.zone = decode_name(topology, model::kZoneLabel, names);
}

model::EndpointDraft decode_endpoint(const JsonObject& endpoint, const IpAddress& address,
                                     StringPool& names) {
  model::EndpointDraft draft;
  draft.address = address;
  decode_place(endpoint, draft, names);
  const JsonObject conditions = endpoint.child("conditions");
  draft.ready = decode_condition(conditions, "ready");
  draft.serving = decode_condition(conditions, "serving");
  draft.terminating = decode_condition(conditions, "terminating");
  const JsonObject hints = endpoint.child("hints");
  draft.zone_hints = decode_hints(hints, "forZones", names);
  draft.node_hints = decode_hints(hints, "forNodes", names);
  const JsonObject target = endpoint.child("targetRef");
  if (target.text("kind") == "Pod") {
    draft.pod = decode_name(target, "name", names);
    draft.pod_ns = decode_name(target, "namespace", names);
  }
  return draft;
}

}  // namespace

std::optional<model::SliceDraft> decode_endpoint_slice(const JsonObject& slice, ObjectName name,
                                                       StringPool& names) {
  const auto family = decode_family(slice);
  if (!family) return std::nullopt;
  model::SliceDraft draft;
  draft.ns = name.ns;
  draft.name = name.name;
  draft.family = *family;
  const JsonObject labels = slice.child("metadata").child("labels");
  draft.service = decode_name(labels, model::kServiceNameLabel, names);
  const auto manager = labels.text(model::kManagedByLabel);
  draft.managed_by_controller = manager == kControllerIdentity;
  draft.managed_by_other = manager && !manager->empty() && !draft.managed_by_controller;
  const JsonObject annotations = slice.child("metadata").child("annotations");
  draft.published.split = decode_name(annotations, model::kZoneSplitAnnotation, names);
  draft.published.version =
      model::parse_resource_version(slice.child("metadata").text("resourceVersion").value_or(""));
  slice.report_longer("ports", kMostSlicePorts);
  slice.first_objects("ports", kMostSlicePorts, [&](const JsonObject& port) {
    draft.ports.push_back({names.intern(port.text("name").value_or("")),
                           decode_protocol(port, names), port.port("port", 0).value_or(0),
                           decode_name(port, "appProtocol", names)});
  });
  std::size_t listed = 0;
  slice.each_object("endpoints", [&](const JsonObject& endpoint) {
    ++listed;
    if (const auto address = decode_address(endpoint, *family))
      draft.endpoints.push_back(decode_endpoint(endpoint, *address, names));
  });
  if (draft.endpoints.size() == listed)
    draft.published.routing = decode_name(annotations, model::kRoutingAnnotation, names);
  return draft;
}

}  // namespace proxima::wire
