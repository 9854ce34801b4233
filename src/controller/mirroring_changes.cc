// SPDX-License-Identifier: Apache-2.0
#include "controller/mirroring_changes.h"

#include "slices/mirror_endpoints.h"

namespace proxima::controller {
namespace {

using SliceChange = kube::Change<kube::EndpointSliceRecord>;

// "" when the slice does not say.
std::string key_of(const kube::EndpointSliceRecord& slice) {
  if (slice.service.view().empty()) return {};
  return kube::to_text(kube::ObjectKey{slice.meta.ns.view(), slice.service.view()});
}

std::vector<std::string> deleted_mirror(const kube::EndpointSliceRecord& slice,
                                        SliceTracker& tracker) {
  const std::string key = key_of(slice);
  if (!slices::is_mirrored(slice) || key.empty()) return {};
  const bool expected =
      tracker.gone(key, slice.meta.uid.view()) == SliceTracker::Deletion::Expected;
  return expected ? std::vector<std::string>() : std::vector{key};
}

bool is_news(const kube::EndpointSliceRecord& slice, const SliceTracker& tracker) {
  return slices::is_mirrored(slice) && tracker.is_news(key_of(slice), slice);
}

std::vector<std::string> updated(const SliceChange& change, SliceTracker& tracker) {
  const std::string before = key_of(*change.before);
  const std::string now = key_of(*change.now);
  const bool was_mirrored = slices::is_mirrored(*change.before);
  const bool mirrored = slices::is_mirrored(*change.now);
  const bool news = is_news(*change.now, tracker);
  const bool left = before != now || !mirrored || change.before->meta.uid != change.now->meta.uid;
  if (left) tracker.forget_slice(before, change.before->meta.uid.view());
  if (before != now) return {now, before};
  return news || was_mirrored != mirrored ? std::vector{now} : std::vector<std::string>();
}

}  // namespace

bool wants_mirroring(const kube::Change<kube::EndpointsRecord>& change) {
  return (change.before && slices::may_mirror(*change.before)) ||
         (change.now && slices::may_mirror(*change.now));
}

bool wants_mirroring(const kube::Change<kube::ServiceRecord>& change) {
  if (change.before && change.now)
    return static_cast<bool>(change.before->selector) != static_cast<bool>(change.now->selector);
  return !(change.now ? change.now : change.before)->selector;
}

std::vector<std::string> mirrors_to_sync(const SliceChange& change, SliceTracker& tracker) {
  std::vector<std::string> keys;
  if (!change.now) {
    keys = deleted_mirror(*change.before, tracker);
  } else if (change.before) {
    keys = updated(change, tracker);
  } else if (is_news(*change.now, tracker)) {
    keys = {key_of(*change.now)};
  }
  std::erase(keys, std::string());
  return keys;
}

}  // namespace proxima::controller
