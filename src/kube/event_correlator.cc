// SPDX-License-Identifier: Apache-2.0
#include "kube/event_correlator.h"

#include <algorithm>
#include <initializer_list>

namespace proxima::kube {
namespace {

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string key;
  for (const std::string_view part : parts) key += part;
  return key;
}

// Equal for events that are the same but for time and count.
std::string event_key(const Event& event) {
  const ObjectReference& about = event.about;
  return joined({event.source.component, event.source.host, about.kind, about.ns, about.name,
                 about.field_path, about.uid, about.api_version, to_text(event.type), event.reason,
                 event.message});
}

// Equal for events that differ only in their message.
std::string similar_key(const Event& event) {
  const ObjectReference& about = event.about;
  return joined({event.source.component, event.source.host, about.kind, about.ns, about.name,
                 about.uid, about.api_version, to_text(event.type), event.reason,
                 event.reporting_controller, event.reporting_instance});
}

// Equal for events of one source about one object.
std::string spam_key(const Event& event) {
  const ObjectReference& about = event.about;
  return joined({event.source.component, event.source.host, about.kind, about.ns, about.name,
                 about.uid, about.api_version, to_text(event.type)});
}

Event combined(const Event& event, WallTime now) {
  Event one = event;
  one.name = event_name(event.about.name, now).value_or(event.name);
  one.count = 1;
  one.first = one.last = now;
  one.message = "(combined from similar events): " + event.message;
  // Upstream leaves these out, too.
  one.reporting_controller.clear();
  one.reporting_instance.clear();
  return one;
}

}  // namespace

EventCorrelator::EventCorrelator(const EventLimits& limits)
    : limits_(limits),
      similar_(limits.remembered),
      observed_(limits.remembered),
      buckets_(limits.remembered) {}

std::optional<CorrelatedEvent> EventCorrelator::correlate(const Event& event, Moment now) {
  CorrelatedEvent result = observe(combine(event, now));
  if (is_spam(result.event, now.steady)) return std::nullopt;
  return result;
}

EventCorrelator::Keyed EventCorrelator::combine(const Event& event, Moment now) {
  const std::string key = similar_key(event);
  Similar* similar = similar_.find(key);
  if (similar == nullptr || now.steady - similar->last > limits_.similar_within)
    similar = &similar_.put(key, Similar{});
  similar->messages.insert(event.message);
  similar->last = now.steady;
  if (similar->messages.size() < limits_.similar) return {event, event_key(event)};
  // Any of them may go, so that the set stays small.
  similar->messages.erase(similar->messages.begin());
  return {combined(event, now.wall), key};
}

CorrelatedEvent EventCorrelator::observe(Keyed keyed) {
  Event& event = keyed.event;
  const Observed* before = observed_.find(keyed.key);
  const bool repeats = before != nullptr && before->count > 0;
  if (repeats) {
    event.name = before->name;
    event.resource_version = before->resource_version;
    event.first = before->first;
    event.count = before->count + 1;
  }
  observed_.put(keyed.key, {event.count, event.first, event.name, event.resource_version});
  return {std::move(event), repeats};
}

bool EventCorrelator::is_spam(const Event& event, Clock::SteadyTime now) {
  const std::string key = spam_key(event);
  Bucket* bucket = buckets_.find(key);
  if (bucket == nullptr) bucket = &buckets_.put(key, {limits_.spam_burst, now});
  const std::chrono::duration<double> passed = now - bucket->filled;
  bucket->tokens =
      std::min(limits_.spam_burst, bucket->tokens + passed.count() * limits_.spam_per_second);
  bucket->filled = now;
  if (bucket->tokens < 1) return true;
  bucket->tokens -= 1;
  return false;
}

void EventCorrelator::written(const Event& event) {
  observed_.put(event_key(event), {event.count, event.first, event.name, event.resource_version});
}

}  // namespace proxima::kube
