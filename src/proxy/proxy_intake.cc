// SPDX-License-Identifier: Apache-2.0
#include "proxy/proxy_intake.h"

#include <algorithm>
#include <utility>

namespace proxima::proxy {

namespace {

// Only the times that they began at are of interest, and a metric is not worth more memory.
constexpr std::size_t kSliceEventsMax = 65'536;

}  // namespace

ProxyIntake::ProxyIntake(ProxyMetrics& metrics) : metrics_(metrics) {
  services.subscribe([this](const kube::Change<kube::ServiceRecord>& change) {
    const std::lock_guard guard(mutex_);
    pending_services_.note(change);
    metrics_.service_changed();
    ++now_;
    changed_.notify_all();
  });
  slices.subscribe([this](const kube::Change<kube::EndpointSliceRecord>& change) {
    const std::lock_guard guard(mutex_);
    pending_slices_.note(change);
    slices_version_ = std::max(slices_version_, change.version);
    if (slice_events_.size() < kSliceEventsMax) slice_events_.push_back(change);
    metrics_.slice_changed();
    ++now_;
    changed_.notify_all();
  });
  nodes.subscribe([this](const auto&) { happened(); });
  ranges.subscribe([this](const auto&) { happened(); });
}

void ProxyIntake::happened() {
  const std::lock_guard guard(mutex_);
  ++now_;
  changed_.notify_all();
}

std::string ProxyIntake::waiting_for() const {
  std::string kinds;
  if (!services.has_synced()) kinds = "services";
  if (!slices.has_synced()) kinds += kinds.empty() ? "endpointslices" : ", endpointslices";
  return kinds;
}

ProxyIntake::Taken ProxyIntake::take() {
  const std::lock_guard guard(mutex_);
  metrics_.pending(0, 0);
  return {pending_services_.take(), pending_slices_.take(), std::exchange(slice_events_, {}),
          slices_version_};
}

ProxyIntake::Waiting ProxyIntake::waiting() const {
  const std::lock_guard guard(mutex_);
  return {pending_services_.size(), pending_slices_.size(), slice_events_.size()};
}

bool ProxyIntake::has_changes() const {
  const std::lock_guard guard(mutex_);
  metrics_.pending(pending_services_.size(), pending_slices_.size());
  return pending_services_.size() + pending_slices_.size() > 0;
}

ProxyIntake::Moment ProxyIntake::now() const {
  const std::lock_guard guard(mutex_);
  return now_;
}

void ProxyIntake::wait_beyond(Moment seen, Clock& clock, Clock::SteadyTime deadline) {
  std::unique_lock lock(mutex_);
  while (now_ == seen && clock.steady_now() < deadline) clock.wait_until(lock, changed_, deadline);
}

}  // namespace proxima::proxy
