// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>

#include "wire/decode_objects.h"

namespace proxima::wire {
namespace {

// kubectl writes quantities as strings; a person may write a number.
std::optional<std::string> quantity_text(const JsonObject& resources, std::string_view key) {
  const auto element = resources.find(key);
  if (!element) return std::nullopt;
  std::string_view text;
  if (element->get(text) == simdjson::SUCCESS) return std::string(text);
  double number = 0;
  if (element->get(number) != simdjson::SUCCESS) {
    resources.report(key, "neither a string nor a number");
    return std::nullopt;
  }
  char digits[64];
  const auto written = std::to_chars(digits, digits + sizeof digits, number);
  return std::string(digits, written.ptr);
}

double decode_traffic(const JsonObject& annotations) {
  const auto text = annotations.text(model::kTrafficAnnotation);
  if (!text) return 0;
  double traffic = 0;
  const char* const end = text->data() + text->size();
  const auto parsed = std::from_chars(text->data(), end, traffic);
  if (parsed.ec == std::errc() && parsed.ptr == end && std::isfinite(traffic) && traffic >= 0)
    return traffic;
  annotations.report(model::kTrafficAnnotation,
                     "not a number that is 0 or more: \"" + std::string(*text) + "\"");
  return 0;
}

}  // namespace

model::NodeDraft decode_node(const JsonObject& node, ObjectName name, StringPool& names) {
  model::NodeDraft draft;
  draft.name = name.name;
  const JsonObject metadata = node.child("metadata");
  draft.labels = decode_labels(metadata.child("labels"), names);
  draft.traffic = decode_traffic(metadata.child("annotations"));
  const JsonObject status = node.child("status");
  draft.ready = has_ready_condition(status);
  const JsonObject allocatable = status.child("allocatable");
  if (const auto text = quantity_text(allocatable, "cpu")) {
    auto cpu = Quantity::parse(*text);
    if (cpu) {
      draft.cpu = *cpu;
    } else {
      allocatable.report("cpu", cpu.error().message);
    }
  }
  return draft;
}

}  // namespace proxima::wire
