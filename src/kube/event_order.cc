// SPDX-License-Identifier: Apache-2.0
#include "kube/event_order.h"

#include <algorithm>

namespace proxima::kube {

void EventOrder::listed(std::string_view version) {
  listed_ = version;
  covered_ = floor_ = parse_version(version);
  window_.clear();
  deletions_.clear();
}

void EventOrder::bookmark(std::string_view version) {
  const Version number = parse_version(version);
  if (number == 0) {
    if (covered_ == 0) listed_ = version;
    return;
  }
  if (number <= covered_) return;
  covered_ = number;
  raise_floor(number);
}

void EventOrder::raise_floor(Version version) {
  floor_ = std::max(floor_, version);
  std::erase_if(window_, [&](Version seen) { return seen <= floor_; });
  std::erase_if(deletions_, [&](const Deletion& deletion) { return deletion.version <= floor_; });
}

const EventOrder::Deletion* EventOrder::deletion_of(const ObjectKey& key) const {
  const auto found = std::find_if(
      deletions_.begin(), deletions_.end(),
      [&](const Deletion& deletion) { return deletion.name == key.name && deletion.ns == key.ns; });
  return found == deletions_.end() ? nullptr : &*found;
}

News EventOrder::judge(EventKind kind, const ObjectKey& key, Version event,
                       std::optional<Version> cached) const {
  if (event == 0) return News::Apply;
  if (event <= covered_) return News::Old;
  if (const Deletion* deletion = deletion_of(key); deletion && deletion->version >= event)
    return News::Old;
  if (cached) {
    // Servers that are no longer made delete an object with the version that it had.
    const bool newer = kind == EventKind::Deleted ? event >= *cached : event > *cached;
    return newer ? News::Apply : News::Old;
  }
  if (kind == EventKind::Deleted) return News::Old;
  return event > floor_ ? News::Apply : News::Unsure;
}

void EventOrder::seen(EventKind kind, const ObjectKey& key, Version event) {
  if (event <= floor_) return;
  const auto at = std::lower_bound(window_.begin(), window_.end(), event);
  if (at == window_.end() || *at != event) window_.insert(at, event);
  if (kind == EventKind::Deleted) {
    std::erase_if(deletions_, [&](const Deletion& old) {
      return old.name == key.name && old.ns == key.ns && old.version <= event;
    });
    if (deletion_of(key) == nullptr)
      deletions_.push_back({std::string(key.ns), std::string(key.name), event});
  }
  if (window_.size() > kWindow) raise_floor(window_.front());
}

std::string EventOrder::resume_version() const {
  return floor_ == 0 ? listed_ : std::to_string(floor_);
}

std::string EventOrder::newest_version() const {
  return window_.empty() ? resume_version() : std::to_string(window_.back());
}

}  // namespace proxima::kube
