// SPDX-License-Identifier: Apache-2.0
#include "apiserver/retention.h"

#include <boost/json/value.hpp>

namespace proxima::apiserver {
namespace {

// The history is cut this often within its time, so it is longer by one part at most.
constexpr int kCutsInHistory = 5;

}  // namespace

Retention::Retention(Store& store, ObjectRegistry& registry, const Clock& clock,
                     RetentionLimits limits)
    : store_(store),
      registry_(registry),
      clock_(clock),
      limits_(limits),
      next_mark_(clock.steady_now()) {
  const auto written = [this](const ObjectKey& key, Revision revision) {
    events_.push_back({clock_.steady_now(), key, revision});
  };
  store_.scan(Kind::Event, {}, store_.revision(), {},
              [&](const ObjectKey& key, const StoredObjectPtr& object) {
                written(key, object->revision);
                return true;
              });
  registry_.observe([this, written](const ObjectKey& key, const boost::json::object*,
                                    const boost::json::object* after) {
    if (key.kind == Kind::Event && after != nullptr) written(key, store_.revision());
  });
}

bool Retention::event_is_due(Time now) const {
  return !events_.empty() && events_.front().time + limits_.events <= now;
}

bool Retention::is_due() const {
  const Time now = clock_.steady_now();
  return next_mark_ <= now || event_is_due(now);
}

void Retention::forget_history(Time now) {
  if (next_mark_ > now) return;
  next_mark_ = now + std::chrono::milliseconds(limits_.history) / kCutsInHistory;
  marks_.push_back({now, store_.revision()});
  Revision newest = 0;
  while (marks_.front().time + limits_.history <= now) {
    newest = marks_.front().revision;
    marks_.pop_front();
  }
  if (newest != 0) store_.compact(newest);
}

bool Retention::step(std::size_t most) {
  const Time now = clock_.steady_now();
  forget_history(now);
  for (std::size_t i = 0; i < most && event_is_due(now); ++i) {
    const WrittenEvent event = std::move(events_.front());
    events_.pop_front();
    const StoredObjectPtr stored = store_.find(event.key);
    if (!stored || stored->revision != event.revision) continue;  // gone, or written later
    static_cast<void>(registry_.remove(resource_of(event.key.kind), event.key, {}));
  }
  return event_is_due(now);
}

}  // namespace proxima::apiserver
