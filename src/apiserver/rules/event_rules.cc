// SPDX-License-Identifier: Apache-2.0
// Events of both groups. The old group's are checked little, for the sake of old clients; the same
// object has other field names in the new one.
#include "apiserver/rules/kind_rules.h"

#include <boost/json/value.hpp>
#include "apiserver/rules/metadata_rules.h"

namespace proxima::apiserver::rules {
namespace {

constexpr std::size_t kWordBytesMax = 128;
constexpr std::size_t kNoteBytesMax = 1024;

// What the two groups call the same thing.
struct Face {
  std::string_view object;  // what the event is about
  std::string_view message;
  std::string_view controller;
};
constexpr Face kCore = {"involvedObject", "message", "reportingComponent"};
constexpr Face kNew = {"regarding", "note", "reportingController"};

void check_length(FieldErrors& errors, std::string_view text, std::string_view field,
                  std::size_t most) {
  if (text.size() > most)
    errors.invalid(FieldPath(std::string(field)), "",
                   "can have at most " + std::to_string(most) + " characters");
}

void check_word(FieldErrors& errors, const JsonFields& event, std::string_view field) {
  if (text_at(event, field).empty()) errors.required(FieldPath(std::string(field)));
  check_length(errors, text_at(event, field), field, kWordBytesMax);
}

// Events with an eventTime are of the new kind and have to be complete.
void check_complete(FieldErrors& errors, const JsonFields& event, const Face& face) {
  const FieldPath controller{std::string(face.controller)};
  const std::string_view name = text_at(event, face.controller);
  if (name.empty()) errors.required(controller);
  errors.invalid_each(controller, name, qualified_name_faults(name));
  check_word(errors, event, "reportingInstance");
  check_word(errors, event, "action");
  check_word(errors, event, "reason");
  check_length(errors, text_at(event, face.message), "message", kNoteBytesMax);
}

bool namespaces_agree(const JsonFields& event, const Face& face, bool new_kind) {
  const std::string_view ns = text_at(object_at(event, "metadata"), "namespace");
  const std::string_view about = text_at(object_at(event, face.object), "namespace");
  if (new_kind) return !about.empty() || ns == "default" || ns == "kube-system";
  return about.empty() ? ns.empty() || ns == "default" : ns == about;
}

void check_event(FieldErrors& errors, const JsonFields& event, const Face& face) {
  const bool new_kind = has(event, "eventTime");
  if (!namespaces_agree(event, face, new_kind))
    errors.invalid(FieldPath("involvedObject.namespace"),
                   text_at(object_at(event, face.object), "namespace"),
                   "does not match event.namespace");
  if (new_kind) check_complete(errors, event, face);
  const std::string_view ns = text_at(object_at(event, "metadata"), "namespace");
  errors.invalid_each(FieldPath("namespace"), ns, dns_subdomain_faults(ns));
}

void check_core_create(FieldErrors& errors, const JsonFields& event) {
  check_event(errors, event, kCore);
}

void check_core_update(FieldErrors& errors, Subresource /*subresource*/, const JsonFields& event,
                       const JsonFields& /*old*/) {
  check_event(errors, event, kCore);
}

void check_series(FieldErrors& errors, const JsonFields& event) {
  if (!has(event, "series")) return;
  const JsonFields& series = object_at(event, "series");
  if (number_at(series, "count") < 2)
    errors.invalid(FieldPath("series.count"), "", "should be at least 2");
  if (!has(series, "lastObservedTime")) errors.required(FieldPath("series.lastObservedTime"));
}

void check_unset(FieldErrors& errors, const JsonFields& event) {
  const auto unset = [&](bool set, const char* field) {
    if (set) errors.invalid(FieldPath(field), "", "needs to be unset");
  };
  unset(has(event, "deprecatedFirstTimestamp"), "firstTimestamp");
  unset(has(event, "deprecatedLastTimestamp"), "lastTimestamp");
  unset(number_at(event, "deprecatedCount") != 0, "count");
  const JsonFields& source = object_at(event, "deprecatedSource");
  unset(!text_at(source, "component").empty() || !text_at(source, "host").empty(), "source");
}

void check_new_create(FieldErrors& errors, const JsonFields& event) {
  check_event(errors, event, kNew);
  check_core_metadata(errors, event, true, dns_subdomain_faults);
  check_series(errors, event);
  if (!has(event, "eventTime")) errors.required(FieldPath("eventTime"));
  const std::string_view type = text_at(event, "type");
  if (type != "Normal" && type != "Warning")
    errors.invalid(FieldPath("type"), "", "has invalid value: " + std::string(type));
  check_unset(errors, event);
}

struct FixedField {
  std::string_view field;  // in the new group
  std::string_view shown;  // in messages: its internal name
};
constexpr FixedField kFixedFields[] = {
    {"regarding", "involvedObject"},
    {"reason", "reason"},
    {"note", "message"},
    {"deprecatedSource", "source"},
    {"deprecatedFirstTimestamp", "firstTimestamp"},
    {"deprecatedLastTimestamp", "lastTimestamp"},
    {"deprecatedCount", "count"},
    {"reason", "reason"},
    {"type", "type"},
    {"eventTime", "eventTime"},
    {"action", "action"},
    {"related", "related"},
    {"reportingController", "reportingController"},
    {"reportingInstance", "reportingInstance"},
};

void check_new_update(FieldErrors& errors, Subresource /*subresource*/, const JsonFields& event,
                      const JsonFields& old) {
  check_event(errors, event, kNew);
  check_core_metadata_update(errors, event, old);
  if (!same_member(event, old, "series")) check_series(errors, event);
  for (const FixedField& fixed : kFixedFields)
    if (!same_member(event, old, fixed.field))
      errors.invalid(FieldPath(std::string(fixed.shown)), value_at(event, fixed.field),
                     "field is immutable");
}

}  // namespace

const KindRules kEventRules = {.check_create = check_core_create,
                               .check_update = check_core_update};
const KindRules kEventsV1Rules = {.check_create = check_new_create,
                                  .check_update = check_new_update};

}  // namespace proxima::apiserver::rules
