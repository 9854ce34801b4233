// SPDX-License-Identifier: Apache-2.0
#include "wire/decode_objects.h"

#include <charconv>

namespace proxima::wire {

std::vector<model::Label> decode_labels(const JsonObject& labels, StringPool& names) {
  std::vector<model::Label> decoded;
  labels.each_member_text([&](std::string_view key, std::string_view value) {
    decoded.push_back({names.intern(key), names.intern(value)});
  });
  return decoded;
}

NameId decode_name(const JsonObject& object, std::string_view key, StringPool& names) {
  const auto text = object.text(key);
  return text ? names.intern(*text) : NameId();
}

model::RoutingTexts decode_routing(const JsonObject& annotations, StringPool& names) {
  auto text = [&](std::string_view key) { return decode_name(annotations, key, names); };
  return {.policy = text(model::kPolicyAnnotation),
          .overload = text(model::kOverloadAnnotation),
          .topology_keys = text(model::kTopologyKeysAnnotation),
          .demand = text(model::kDemandAnnotation),
          .min_local_endpoints = text(model::kMinLocalEndpointsAnnotation),
          .node_first = text(model::kNodeFirstAnnotation),
          .panic = text(model::kPanicAnnotation),
          .auto_start = text(model::kAutoStartAnnotation),
          .auto_stop = text(model::kAutoStopAnnotation),
          .failover = text(model::kFailoverAnnotation),
          .fallback = text(model::kFallbackAnnotation)};
}

bool has_ready_condition(const JsonObject& status) {
  bool ready = false;
  status.each_object("conditions", [&](const JsonObject& condition) {
    if (condition.text("type") == "Ready") ready = condition.text("status") == "True";
  });
  return ready;
}

std::optional<double> decode_number_text(const JsonObject& object, std::string_view key,
                                         const model::Limit& limit) {
  const auto text = object.text(key);
  if (!text) return std::nullopt;
  double value = 0;
  const char* const end = text->data() + text->size();
  const auto parsed = std::from_chars(text->data(), end, value);
  if (parsed.ec == std::errc() && parsed.ptr == end && limit.admits(value)) return value;
  object.report(key, "not " + model::range_text(limit) + ": \"" + std::string(*text) + "\"");
  return std::nullopt;
}

NameId decode_protocol(const JsonObject& port, StringPool& names) {
  const std::string_view text = port.text("protocol").value_or("TCP");
  if (text == "TCP" || text == "UDP" || text == "SCTP") return names.intern(text);
  if (!text.empty()) port.report("protocol", "not TCP, UDP or SCTP: \"" + std::string(text) + "\"");
  return names.intern("TCP");
}

model::Namespace decode_namespace(const JsonObject& ns, ObjectName name, StringPool& names) {
  return {.name = name.name,
          .routing = decode_routing(ns.child("metadata").child("annotations"), names)};
}

}  // namespace proxima::wire
