// SPDX-License-Identifier: Apache-2.0
#include "kube/event.h"

#include <array>
#include <boost/json.hpp>
#include <charconv>

#include "core/model/limits.h"

namespace proxima::kube {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxSubdomainBytes = 253;
// Anyone who may write Events may have set it. There is room to count on behind the bound.
constexpr const model::Limit& kCount = model::limit_of(model::Bounded::EventCount);

void add(json::object& object, std::string_view key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

json::object reference(const ObjectReference& about) {
  json::object object;
  add(object, "kind", about.kind);
  add(object, "namespace", about.ns);
  add(object, "name", about.name);
  add(object, "uid", about.uid);
  add(object, "apiVersion", about.api_version);
  add(object, "resourceVersion", about.resource_version);
  add(object, "fieldPath", about.field_path);
  return object;
}

bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// Labels of letters, digits and inner dashes, with dots between.
bool is_subdomain(std::string_view name) {
  if (name.empty() || name.size() > kMaxSubdomainBytes) return false;
  bool begins = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool ends = i + 1 == name.size() || name[i + 1] == '.';
    if (c == '.' ? begins : !is_alphanumeric(c) && (c != '-' || begins || ends)) return false;
    begins = c == '.';
  }
  return !begins;
}

void read_text(const json::object& object, std::string_view key, std::string& into) {
  const json::value* value = object.if_contains(key);
  if (value != nullptr && value->is_string()) into = std::string(value->get_string());
}

}  // namespace

std::string_view to_text(EventType type) {
  return type == EventType::Normal ? "Normal" : "Warning";
}

std::optional<std::string> event_name(std::string_view object, WallTime time) {
  const auto nanos = std::chrono::nanoseconds(time.time_since_epoch()).count();
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), nanos, 16).ptr;
  std::string name = std::string(object) + "." + std::string(digits.data(), end);
  if (!is_subdomain(name)) return std::nullopt;
  return name;
}

std::string render(const Event& event) {
  json::object source;
  add(source, "component", event.source.component);
  add(source, "host", event.source.host);
  return json::serialize(
      json::object{{"kind", "Event"},
                   {"apiVersion", "v1"},
                   {"metadata", json::object{{"name", event.name}, {"namespace", event.ns}}},
                   {"involvedObject", reference(event.about)},
                   {"reason", event.reason},
                   {"message", event.message},
                   {"source", std::move(source)},
                   {"firstTimestamp", time_text(event.first)},
                   {"lastTimestamp", time_text(event.last)},
                   {"count", event.count},
                   {"type", std::string(to_text(event.type))},
                   {"eventTime", nullptr},
                   {"reportingComponent", event.reporting_controller},
                   {"reportingInstance", event.reporting_instance}});
}

std::string render_repetition(const Event& event) {
  json::object patch{{"count", event.count}, {"lastTimestamp", time_text(event.last)}};
  add(patch, "message", event.message);
  return json::serialize(patch);
}

Event with_answer(Event event, std::string_view answer) {
  json::error_code error;
  const json::value document = json::parse(answer, error);
  if (error || !document.is_object()) return event;
  const json::object& object = document.get_object();
  const json::value* metadata = object.if_contains("metadata");
  if (metadata != nullptr && metadata->is_object()) {
    read_text(metadata->get_object(), "name", event.name);
    read_text(metadata->get_object(), "resourceVersion", event.resource_version);
  }
  const json::value* count = object.if_contains("count");
  if (count != nullptr && count->is_int64() &&
      kCount.admits(static_cast<double>(count->get_int64())))
    event.count = static_cast<std::int32_t>(count->get_int64());
  std::string first;
  read_text(object, "firstTimestamp", first);
  if (const auto time = parse_time(first)) event.first = *time;
  return event;
}

}  // namespace proxima::kube
