// SPDX-License-Identifier: Apache-2.0
#include "web/event_log.h"

#include <algorithm>
#include <tuple>

#include "kube/reflector.h"

namespace proxima::web {
namespace {

std::string object_of(const kube::EventRecord& event) {
  std::string text(event.object_kind.view());
  text += ' ';
  if (!event.object_ns.view().empty()) text.append(event.object_ns.view()).append("/");
  return text.append(event.object_name.view());
}

}  // namespace

std::vector<EventPicture> newest_events(const kube::CacheSnapshot<kube::EventRecord>& events) {
  std::vector<Ref<const kube::EventRecord>> all;
  events.each([&](const auto& event) { all.push_back(event); });
  const auto newer = [](const auto& a, const auto& b) {
    return std::tuple(-a->last, a->key()) < std::tuple(-b->last, b->key());
  };
  const std::size_t count = std::min(all.size(), kMaxEventsShown);
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(),
                    newer);
  all.resize(count);
  std::vector<EventPicture> out;
  for (const auto& event : all)
    out.push_back({.time = event->last,
                   .type = std::string(event->type.view()),
                   .reason = std::string(event->reason.view()),
                   .object = object_of(*event),
                   .message = std::string(event->message.view())});
  return out;
}

EventLog::EventLog(EventScope scope, const Ports& ports)
    : ports_(ports), thread_([this, scope] { run(scope); }) {}

EventLog::~EventLog() {
  stop_.cancel();
  thread_.join();
}

void EventLog::run(EventScope scope) {
  kube::ReflectorOptions options;
  options.plan.seed = std::hash<std::string_view>()("events");
  if (scope == EventScope::ServicesOnly) options.field_selector = "involvedObject.kind=Service";
  // An Event that cannot be read is missed by nobody but the page.
  options.on_problem = [](const wire::Problem&) {};
  options.on_failure = [this](const Error& error) {
    if (stop_.cancelled()) return;
    ports_.log.warning("Events cannot be read for the page and are tried again",
                       {{"problem", error.message}});
  };
  kube::Reflector<kube::EventRecord> reflector(ports_.api, ports_.clock, kube::kCoreEvents, cache_,
                                               std::move(options));
  reflector.run(stop_);
}

}  // namespace proxima::web
