// SPDX-License-Identifier: Apache-2.0
#include "controller/slice_events.h"

#include <algorithm>

#include "core/model/labels.h"
#include "slices/slice_labels.h"

namespace proxima::controller {
namespace {

// "" when the slice does not say.
std::string service_of(const kube::EndpointSliceRecord& slice) {
  if (slice.service.view().empty()) return {};
  return kube::to_text(kube::ObjectKey{slice.meta.ns.view(), slice.service.view()});
}

ServiceKeys keys(std::initializer_list<std::string> services) {
  ServiceKeys all;
  for (const std::string& service : services)
    if (!service.empty()) all.push_back(service);
  std::sort(all.begin(), all.end());
  return all;
}

ServiceKeys deleted_slice(const kube::EndpointSliceRecord& slice, SliceTracker& tracker) {
  if (!is_managed(slice)) return {};
  const std::string service = service_of(slice);
  const bool ours =
      tracker.gone(service, slice.meta.uid.view()) == SliceTracker::Deletion::Expected;
  return ours ? ServiceKeys() : keys({service});
}

// What a cache shows of a Service leaves out what it does not manage and what is being deleted.
void forget_what_left(const kube::EndpointSliceRecord& before, const kube::EndpointSliceRecord& now,
                      SliceTracker& tracker) {
  const bool left = service_of(before) != service_of(now) || !is_managed(now) ||
                    now.meta.terminating || before.meta.uid != now.meta.uid;
  if (left) tracker.forget_slice(service_of(before), before.meta.uid.view());
}

}  // namespace

bool is_managed(const kube::EndpointSliceRecord& slice) {
  return kube::label(slice.labels, model::kManagedByLabel).view() == slices::kControllerIdentity;
}

ServiceKeys services_to_sync(const kube::Change<kube::EndpointSliceRecord>& change,
                             SliceTracker& tracker) {
  if (!change.now) return deleted_slice(*change.before, tracker);
  const kube::EndpointSliceRecord& now = *change.now;
  const std::string service = service_of(now);
  const bool managed = is_managed(now);
  // Before anything is forgotten: what was written is no news because it has just been seen.
  const bool news = managed && tracker.is_news(service, now);
  if (!change.before) return news ? keys({service}) : ServiceKeys();
  const kube::EndpointSliceRecord& before = *change.before;
  forget_what_left(before, now, tracker);
  if (service_of(before) != service) return keys({service, service_of(before)});
  return news || managed != is_managed(before) ? keys({service}) : ServiceKeys();
}

}  // namespace proxima::controller
