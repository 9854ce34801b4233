// SPDX-License-Identifier: Apache-2.0
// From what changes in mirrored slices to the Endpoints that want work. It listens as long as it
// lives, also while another leads: what this process wrote in one term and has not seen yet is
// waited for in the next, and what it has seen since is not. Safe for concurrent use.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>

#include "controller/slice_tracker.h"
#include "kube/cache.h"
#include "kube/work_queue.h"

namespace proxima::controller {

using MirrorQueue = kube::WorkQueue<std::string>;  // of "shop/db"

class MirrorIntake {
 public:
  // The cache must outlive it.
  explicit MirrorIntake(kube::Cache<kube::EndpointSliceRecord>& slices);
  ~MirrorIntake();
  MirrorIntake(const MirrorIntake&) = delete;
  MirrorIntake& operator=(const MirrorIntake&) = delete;

  // The Endpoints of every slice that is there want work, so long after; then those of changes.
  void open(MirrorQueue& queue, kube::Duration delay);
  // Nothing goes into the queue any more when it returns.
  void close();

  SliceTracker& tracker() { return tracker_; }

 private:
  void on_slice(const kube::Change<kube::EndpointSliceRecord>& change);

  kube::Cache<kube::EndpointSliceRecord>& slices_;
  SliceTracker tracker_;
  std::mutex mutex_;
  MirrorQueue* queue_ = nullptr;  // null: nobody works
  kube::Duration delay_{0};
  std::size_t subscription_ = 0;
};

}  // namespace proxima::controller
