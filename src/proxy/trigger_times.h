// SPDX-License-Identifier: Apache-2.0
// When the changes that wait to be written began, as slices say it: for the time from a change in
// the cluster to a change in the kernel (network_programming_duration_seconds).
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/timestamp.h"
#include "kube/endpoint_slice_record.h"
#include "proxy/service_endpoint.h"

namespace proxima::proxy {

inline constexpr std::string_view kTriggerTimeAnnotation =
    "endpoints.kubernetes.io/last-change-trigger-time";

class TriggerTimes {
 public:
  // What began before that was somebody else's to write.
  explicit TriggerTimes(WallTime process_start) : process_start_(process_start) {}

  // A slice that was added or changed.
  void changed(const kube::EndpointSliceRecord& slice);
  // A slice that is gone: nobody knows when that began, and what came before no longer counts.
  void removed(const kube::EndpointSliceRecord& slice);
  // After a write: all times since the last one, by Service and then as they came.
  std::vector<WallTime> take();

 private:
  using Name = std::pair<Text, Text>;

  WallTime process_start_;
  std::map<Name, std::vector<WallTime>> pending_;
};

}  // namespace proxima::proxy
