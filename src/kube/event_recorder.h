// SPDX-License-Identifier: Apache-2.0
// Writes events in the background. Whoever records one never waits: too many are dropped, and an
// API server that is away delays events and nothing else.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "base/split_mix.h"
#include "kube/event_correlator.h"
#include "kube/object_client.h"

namespace proxima::kube {

struct EventRecorderOptions {
  EventSource source;
  EventLimits limits;
  std::size_t max_queued = 1000;
  std::uint32_t max_tries = 12;
  std::chrono::seconds retry_delay{10};      // the first one is a random part of it
  std::chrono::seconds request_timeout{60};  // of each write
  std::chrono::seconds stop_within{2};       // for what still waits at the end
  std::uint64_t seed = 0;
  // Events that could not be written; called on the recorder's own thread or on record()'s.
  std::function<void(const std::string& message)> on_problem;
};

// Safe for concurrent use.
class EventRecorder {
 public:
  // API and clock must outlive it. Starts a thread.
  EventRecorder(EventRecorderOptions options, KubeApi& api, Clock& clock);
  // Tries what is queued once more, for a moment, and drops the rest.
  ~EventRecorder();
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  // Never blocks, never fails: an event is a courtesy.
  void record(const ObjectReference& about, EventType type, std::string reason,
              std::string message);
  // Events that wait; the one that is being written is none of them.
  std::size_t queued() const;
  // Waits until everything recorded so far is written or dropped. For tests and for the end.
  void flush();

 private:
  void run();
  void deliver_guarded(const Event& event);
  void deliver(const Event& event);
  // Whether it is done with: written, or refused for good.
  bool try_to_write(CorrelatedEvent& wanted);
  std::chrono::nanoseconds delay_before(std::uint32_t tries);
  void problem(const std::string& message) const;

  EventRecorderOptions options_;
  Clock& clock_;
  ObjectClient client_;
  EventCorrelator correlator_;  // the thread's
  SplitMix random_;             // the thread's
  net::Cancellation stop_waiting_;
  net::Cancellation stop_writing_;
  mutable std::mutex mutex_;
  ConditionVariable changed_;
  std::deque<Event> queue_;
  bool busy_ = false;
  bool stopping_ = false;
  Thread thread_;
};

}  // namespace proxima::kube
