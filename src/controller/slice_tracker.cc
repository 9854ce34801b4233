// SPDX-License-Identifier: Apache-2.0
#include "controller/slice_tracker.h"

#include <algorithm>

namespace proxima::controller {

const SliceTracker::Generations* SliceTracker::find(std::string_view service) const {
  const auto found = services_.find(std::string(service));
  return found == services_.end() ? nullptr : &found->second;
}

SliceTracker::Writing::Writing(SliceTracker& tracker, std::string service)
    : tracker_(tracker), service_(std::move(service)) {
  const std::lock_guard guard(tracker_.mutex_);
  tracker_.left_[service_];
}

SliceTracker::Writing::~Writing() {
  const std::lock_guard guard(tracker_.mutex_);
  tracker_.left_.erase(service_);
}

void SliceTracker::note_left(std::string_view service, std::string_view uid) {
  const auto found = left_.find(std::string(service));
  if (found != left_.end()) found->second.emplace(uid);
}

void SliceTracker::wrote(std::string_view service, std::string_view uid, std::int64_t generation,
                         kube::Version version) {
  const std::lock_guard guard(mutex_);
  const auto left = left_.find(std::string(service));
  if (left != left_.end() && left->second.contains(uid)) return;
  services_[std::string(service)].insert_or_assign(std::string(uid), Known{generation, version});
}

void SliceTracker::deleted(std::string_view service, std::string_view uid) {
  wrote(service, uid, kDeleted);
}

bool SliceTracker::was_deleted(std::string_view service, std::string_view uid) const {
  const std::lock_guard guard(mutex_);
  const Generations* known = find(service);
  if (known == nullptr) return false;
  const auto found = known->find(uid);
  return found != known->end() && found->second.generation == kDeleted;
}

bool SliceTracker::is_news(std::string_view service, const kube::EndpointSliceRecord& slice) const {
  const std::lock_guard guard(mutex_);
  const Generations* known = find(service);
  if (known == nullptr) return true;
  const auto found = known->find(slice.meta.uid.view());
  return found == known->end() || slice.generation > found->second.generation;
}

bool SliceTracker::is_stale(std::string_view service, std::span<const SliceRef> slices,
                            kube::Version listed) const {
  const std::lock_guard guard(mutex_);
  const Generations* known = find(service);
  if (known == nullptr) return false;
  std::set<std::string_view> uids;
  for (const SliceRef& slice : slices) {
    uids.insert(slice->meta.uid.view());
    const auto found = known->find(slice->meta.uid.view());
    if (found == known->end()) continue;
    const std::int64_t generation = found->second.generation;
    if (generation == kDeleted || generation > slice->generation) return true;
  }
  return std::any_of(known->begin(), known->end(), [&](const auto& entry) {
    const Known& written = entry.second;
    const bool is_gone = written.version != 0 && written.version <= listed;
    return written.generation != kDeleted && !is_gone && !uids.contains(entry.first);
  });
}

std::optional<std::int64_t> SliceTracker::take(std::string_view service, std::string_view uid) {
  const auto generations = services_.find(std::string(service));
  if (generations == services_.end()) return std::nullopt;
  const auto found = generations->second.find(uid);
  if (found == generations->second.end()) return std::nullopt;
  const std::int64_t known = found->second.generation;
  generations->second.erase(found);
  // Nobody forgets a Service while another leads: what is empty must not stay.
  if (generations->second.empty()) services_.erase(generations);
  return known;
}

SliceTracker::Deletion SliceTracker::gone(std::string_view service, std::string_view uid) {
  const std::lock_guard guard(mutex_);
  note_left(service, uid);
  return take(service, uid) == kDeleted ? Deletion::Expected : Deletion::Unexpected;
}

void SliceTracker::forget_slice(std::string_view service, std::string_view uid) {
  const std::lock_guard guard(mutex_);
  note_left(service, uid);
  take(service, uid);
}

void SliceTracker::forget_service(std::string_view service) {
  const std::lock_guard guard(mutex_);
  services_.erase(std::string(service));
}

}  // namespace proxima::controller
