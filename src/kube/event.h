// SPDX-License-Identifier: Apache-2.0
// A Kubernetes Event (core/v1): something that happened to an object, for people to read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/timestamp.h"

namespace proxima::kube {

enum class EventType { Normal, Warning };
std::string_view to_text(EventType type);

// What it is about.
struct ObjectReference {
  std::string api_version;
  std::string kind;
  std::string ns;  // empty for cluster-wide kinds: their events are in "default"
  std::string name;
  std::string uid;
  std::string resource_version;
  std::string field_path;
};

// Who says it.
struct EventSource {
  std::string component;
  std::string host;
};

struct Event {
  std::string name;
  std::string ns;
  ObjectReference about;
  EventType type = EventType::Normal;
  std::string reason;  // one word, UpperCamelCase
  std::string message;
  EventSource source;
  std::string reporting_controller;
  std::string reporting_instance;
  WallTime first;
  WallTime last;
  std::int32_t count = 1;
  std::string resource_version;  // as last seen; empty: not known
};

// "NAME.16ab…": the object's name and the time, in nanoseconds. nullopt when that is no name for an
// Event, because the object has one that only its own kind allows.
std::optional<std::string> event_name(std::string_view object, WallTime time);

// As JSON, to be created.
std::string render(const Event& event);
// The strategic merge patch that makes an Event that is there already this one.
std::string render_repetition(const Event& event);
// What the server made of an Event; fields that its answer lacks stay as they are.
Event with_answer(Event event, std::string_view answer);

}  // namespace proxima::kube
