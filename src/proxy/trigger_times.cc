// SPDX-License-Identifier: Apache-2.0
#include "proxy/trigger_times.h"

namespace proxima::proxy {

void TriggerTimes::changed(const kube::EndpointSliceRecord& slice) {
  const Text text = kube::label(slice.annotations, kTriggerTimeAnnotation);
  if (!text.has_value() || slice.service.view().empty()) return;
  const auto time = parse_time(text.view());
  if (!time || *time <= process_start_) return;
  pending_[{slice.meta.ns, slice.service}].push_back(*time);
}

void TriggerTimes::removed(const kube::EndpointSliceRecord& slice) {
  pending_.erase({slice.meta.ns, slice.service});
}

std::vector<WallTime> TriggerTimes::take() {
  std::vector<WallTime> times;
  for (const auto& [name, of_service] : pending_)
    times.insert(times.end(), of_service.begin(), of_service.end());
  pending_.clear();
  return times;
}

}  // namespace proxima::proxy
