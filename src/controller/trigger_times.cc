// SPDX-License-Identifier: Apache-2.0
#include "controller/trigger_times.h"

#include <algorithm>

#include "base/timestamp.h"

namespace proxima::controller {

std::optional<kube::UnixSeconds> TriggerTimes::next(const kube::ServiceRecord& service,
                                                    std::span<const PodRef> pods) {
  Seen now{service.meta.created, {}};
  now.pods.reserve(pods.size());
  for (const PodRef& pod : pods)
    if (pod->has_ready_condition) now.pods.push_back({pod->name, pod->ready_changed});
  const std::lock_guard guard(mutex_);
  const auto [entry, first] = services_.try_emplace(kube::to_text(service.key()));
  const auto time = first ? std::optional(service.meta.created) : earliest_news(entry->second, now);
  entry->second = std::move(now);
  return time;
}

std::optional<kube::UnixSeconds> TriggerTimes::earliest_news(const Seen& before, const Seen& now) {
  std::optional<kube::UnixSeconds> earliest;
  const auto consider = [&](kube::UnixSeconds time, kube::UnixSeconds known) {
    if (time > known && (!earliest || time < *earliest)) earliest = time;
  };
  auto known = before.pods.begin();
  for (const PodTime& pod : now.pods) {
    while (known != before.pods.end() && known->name < pod.name) ++known;
    const bool same = known != before.pods.end() && known->name == pod.name;
    consider(pod.changed, same ? known->changed : 0);
  }
  consider(now.created, before.created);
  return earliest;
}

void TriggerTimes::forget(std::string_view service) {
  const std::lock_guard guard(mutex_);
  services_.erase(std::string(service));
}

void TriggerTimes::clear() {
  const std::lock_guard guard(mutex_);
  services_.clear();
}

std::string trigger_time_text(kube::UnixSeconds time) {
  return time_text(WallTime(std::chrono::seconds(time)));
}

}  // namespace proxima::controller
