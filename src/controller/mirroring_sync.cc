// SPDX-License-Identifier: Apache-2.0
#include "controller/mirroring_sync.h"

namespace proxima::controller {
namespace {

kube::ObjectKey object_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return {{}, key};
  return {key.substr(0, slash), key.substr(slash + 1)};
}

// What the cache has of an Endpoints object.
struct Shown {
  std::vector<SliceRef> slices;
  kube::Version listed = 0;  // see Cache::listed_version()
};

Shown mirrored_slices(const MirroringCaches& caches, const kube::ObjectKey& key) {
  Shown shown{.slices = {}, .listed = caches.slices.listed_version()};
  caches.slices.snapshot().each_at(key.ns, key.name, [&](const SliceRef& slice) {
    if (slices::is_mirrored(*slice)) shown.slices.push_back(slice);
  });
  return shown;
}

}  // namespace

MirrorWriter MirroringSync::writer(const std::string& key, SlicePort& port) const {
  return {key, port, ports_.tracker,
          [this](SliceOperation operation) { ports_.metrics.wrote(operation); }};
}

bool MirroringSync::awaits_cache(const std::string& key) const {
  const Shown shown = mirrored_slices(ports_.caches, object_key(key));
  return ports_.tracker.is_stale(key, shown.slices, shown.listed);
}

// Gives up a write that was undone before the cache could show it.
bool MirroringSync::is_behind(const std::string& key, std::span<const SliceRef> slices,
                              kube::Version listed) {
  if (!ports_.tracker.is_stale(key, slices, listed)) {
    unseen_.forget(key);
    return false;
  }
  if (!unseen_.are_lost(key)) return true;
  unseen_.forget(key);
  ports_.tracker.forget_service(key);
  return false;
}

Status MirroringSync::sync(const std::string& key, SlicePort& port) {
  const kube::ObjectKey object = object_key(key);
  const auto endpoints = ports_.caches.endpoints.snapshot().find(object);
  const auto service = ports_.caches.services.snapshot().find(object);
  const auto [slices, listed] = mirrored_slices(ports_.caches, object);
  const bool wanted = endpoints && slices::may_mirror(*endpoints) && service && !service->selector;
  if (!wanted) return stop_mirroring(key, slices, listed, port);
  if (is_behind(key, slices, listed))
    return Error{ErrorCode::Retry, "EndpointSlice informer cache is out of date"};
  return mirror(key, *endpoints, slices, port);
}

Status MirroringSync::stop_mirroring(const std::string& key, const std::vector<SliceRef>& slices,
                                     kube::Version listed, SlicePort& port) {
  ports_.metrics.forget(key);
  {
    const std::lock_guard guard(mutex_);
    told_.erase(key);
  }
  std::vector<SliceRef> left;
  for (const SliceRef& slice : slices)
    if (!ports_.tracker.was_deleted(key, slice->meta.uid.view())) left.push_back(slice);
  if (Status removed = writer(key, port).remove_all(left); !removed) return removed;
  // Upstream forgets these, and mirrors the addresses once more when it begins again.
  if (is_behind(key, {}, listed))
    return Error{ErrorCode::Retry, "EndpointSlice informer cache does not show what was written"};
  return Unit{};
}

Status MirroringSync::mirror(const std::string& key, const kube::EndpointsRecord& endpoints,
                             const std::vector<SliceRef>& slices, SlicePort& port) {
  const slices::MirrorDraft draft =
      slices::mirror_endpoints({endpoints, slices, max_endpoints_per_subset_});
  tell(key, endpoints, draft);
  // Or nobody would notice that somebody else deletes one of them.
  for (const slices::FamilyDraft& family : draft.families)
    for (const SliceRef& slice : family.unchanged)
      ports_.tracker.wrote(key, slice->meta.uid.view(), slice->generation, slice->meta.version);
  ports_.metrics.mirrored(key, draft);
  return writer(key, port).write(draft);
}

void MirroringSync::tell(const std::string& key, const kube::EndpointsRecord& endpoints,
                         const slices::MirrorDraft& draft) {
  const auto warnings = slices::mirror_warnings(draft, max_endpoints_per_subset_);
  std::string all;
  for (const slices::MirrorWarning& warning : warnings) all += warning.message + "\n";
  {
    const std::lock_guard guard(mutex_);
    const auto told = told_.find(key);
    if (all == (told == told_.end() ? std::string() : told->second)) return;
    told_.insert_or_assign(key, std::move(all));
  }
  for (const slices::MirrorWarning& warning : warnings) ports_.warn(endpoints, warning);
}

}  // namespace proxima::controller
