// SPDX-License-Identifier: Apache-2.0
// The Events of the cluster, watched: the log of decisions that the page shows. One thread of its
// own.
#pragma once

#include <cstdint>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "kube/api.h"
#include "kube/cache.h"
#include "kube/event_record.h"
#include "net/cancellation.h"
#include "telemetry/log.h"
#include "web/live_state.h"

namespace proxima::web {

// A real cluster has thousands of Events that are not about routing; a lab's few all tell of it.
enum class EventScope { Everything, ServicesOnly };

inline constexpr std::size_t kMaxEventsShown = 100;

// The newest first; of one second, by name.
std::vector<EventPicture> newest_events(const kube::CacheSnapshot<kube::EventRecord>& events);

class EventLog {
 public:
  struct Ports {
    kube::KubeApi& api;
    Clock& clock;
    const telemetry::Log& log;
  };
  // Watches from now on; what is in `ports` must outlive it.
  EventLog(EventScope scope, const Ports& ports);
  ~EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  std::vector<EventPicture> newest() const { return newest_events(cache_.snapshot()); }

 private:
  void run(EventScope scope);

  Ports ports_;
  kube::Cache<kube::EventRecord> cache_;
  net::Cancellation stop_;
  std::thread thread_;
};

}  // namespace proxima::web
