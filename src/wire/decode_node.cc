// SPDX-License-Identifier: Apache-2.0
#include <charconv>

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

Quantity decode_cpu(const JsonObject& allocatable) {
  constexpr const model::Limit& kLimit = model::limit_of(model::Bounded::NodeCpu);
  constexpr double kMilli = 1000;
  const auto text = quantity_text(allocatable, "cpu");
  if (!text) return {};
  const auto cpu = Quantity::parse(*text);
  if (!cpu) {
    allocatable.report("cpu", cpu.error().message);
    return {};
  }
  if (kLimit.admits(static_cast<double>(cpu->milli()) / kMilli)) return *cpu;
  allocatable.report("cpu", "not " + model::range_text(kLimit) + ": \"" + *text + "\"");
  return {};
}

}  // namespace

model::NodeDraft decode_node(const JsonObject& node, ObjectName name, StringPool& names) {
  model::NodeDraft draft;
  draft.name = name.name;
  const JsonObject metadata = node.child("metadata");
  draft.labels = decode_labels(metadata.child("labels"), names);
  draft.traffic = decode_number_text(metadata.child("annotations"), model::kTrafficAnnotation,
                                     model::limit_of(model::Bounded::NodeTraffic))
                      .value_or(0);
  const JsonObject status = node.child("status");
  draft.ready = has_ready_condition(status);
  draft.cpu = decode_cpu(status.child("allocatable"));
  return draft;
}

}  // namespace proxima::wire
