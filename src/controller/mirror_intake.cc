// SPDX-License-Identifier: Apache-2.0
#include "controller/mirror_intake.h"

#include "controller/mirroring_changes.h"

namespace proxima::controller {

MirrorIntake::MirrorIntake(kube::Cache<kube::EndpointSliceRecord>& slices)
    : slices_(slices),
      subscription_(slices.subscribe([this](const auto& change) { on_slice(change); })) {}

MirrorIntake::~MirrorIntake() { slices_.unsubscribe(subscription_); }

void MirrorIntake::open(MirrorQueue& queue, kube::Duration delay) {
  {
    const std::lock_guard guard(mutex_);
    queue_ = &queue;
    delay_ = delay;
  }
  // To who has written nothing yet, every slice is news.
  SliceTracker nothing;
  slices_.snapshot().each([&](const SliceRef& slice) {
    for (const std::string& key : mirrors_to_sync({.before = {}, .now = slice}, nothing))
      queue.add_after(key, delay);
  });
}

void MirrorIntake::close() {
  const std::lock_guard guard(mutex_);
  queue_ = nullptr;
}

void MirrorIntake::on_slice(const kube::Change<kube::EndpointSliceRecord>& change) {
  const auto keys = mirrors_to_sync(change, tracker_);
  const std::lock_guard guard(mutex_);
  if (queue_ == nullptr) return;
  for (const std::string& key : keys) queue_->add_after(key, delay_);
}

}  // namespace proxima::controller
