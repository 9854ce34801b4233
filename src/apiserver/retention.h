// SPDX-License-Identifier: Apache-2.0
// What time takes away: changes that the history need not remember any more, and Events that
// nobody has written for long. Works in small steps on the server's loop.
#pragma once

#include <chrono>
#include <deque>

#include "apiserver/object_registry.h"
#include "apiserver/server_options.h"

namespace proxima::apiserver {

class Retention {
 public:
  // All must outlive it. Events that are there already count as written now.
  Retention(Store& store, ObjectRegistry& registry, const Clock& clock, RetentionLimits limits);

  bool is_due() const;
  // Removes `most` Events at most; whether there are more.
  bool step(std::size_t most);

 private:
  using Time = Clock::SteadyTime;
  struct Mark {
    Time time;
    Revision revision;
  };
  struct WrittenEvent {
    Time time;
    ObjectKey key;
    Revision revision;
  };

  bool event_is_due(Time now) const;
  void forget_history(Time now);

  Store& store_;
  ObjectRegistry& registry_;
  const Clock& clock_;
  RetentionLimits limits_;
  Time next_mark_;
  std::deque<Mark> marks_;           // the revision at a time, oldest first
  std::deque<WrittenEvent> events_;  // every write, oldest first
};

}  // namespace proxima::apiserver
