// SPDX-License-Identifier: Apache-2.0
// When the thing happened that made a sync write: what the annotation on slices says, from which
// node proxies tell how long a change took. Times are whole seconds, as they are in objects.
// Safe for concurrent use.
#pragma once

#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "controller/pod_set.h"
#include "kube/service_record.h"

namespace proxima::controller {

inline constexpr std::string_view kTriggerTimeAnnotation =
    "endpoints.kubernetes.io/last-change-trigger-time";

class TriggerTimes {
 public:
  // The earliest of what is new since the last call for this Service: a Pod that turned ready or
  // unready, or the Service itself. None: nothing that has a time. Pods by name.
  std::optional<kube::UnixSeconds> next(const kube::ServiceRecord& service,
                                        std::span<const PodRef> pods);
  void forget(std::string_view service);  // "shop/web"
  void clear();

 private:
  struct PodTime {
    Text name;
    kube::UnixSeconds changed = 0;
  };
  struct Seen {
    kube::UnixSeconds created = 0;
    std::vector<PodTime> pods;  // by name
  };

  static std::optional<kube::UnixSeconds> earliest_news(const Seen& before, const Seen& now);

  std::mutex mutex_;
  std::unordered_map<std::string, Seen> services_;
};

// RFC 3339, UTC.
std::string trigger_time_text(kube::UnixSeconds time);

}  // namespace proxima::controller
