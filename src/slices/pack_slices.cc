// SPDX-License-Identifier: Apache-2.0
#include "slices/pack_slices.h"

#include <algorithm>
#include <utility>

#include "slices/new_slice.h"
#include "slices/slice_labels.h"

namespace proxima::slices {
namespace {

kube::EndpointSliceRecord copy_without_endpoints(const kube::EndpointSliceRecord& slice) {
  kube::EndpointSliceRecord copy;
  copy.meta = slice.meta;
  copy.generation = slice.generation;
  copy.generate_name = slice.generate_name;
  copy.labels = slice.labels;
  copy.annotations = slice.annotations;
  copy.owners = slice.owners;
  copy.finalizers = slice.finalizers;
  copy.address_type = slice.address_type;
  copy.service = slice.service;
  copy.ports = slice.ports;
  return copy;
}

}  // namespace

struct SlicePacker::Work {
  explicit Work(PortGroup& of) : group(of), left(of.wanted.size()) {}

  PortGroup& group;
  std::size_t left;                 // wanted endpoints without a place
  std::size_t next = 0;             // where to look for one of them
  std::size_t expected = 0;         // where the next endpoint of a slice probably is
  std::vector<SliceDraft> updates;  // by name
  std::vector<SliceRef> untouched;  // by name
};

// Slices that we filled are in the order of Pods, so the endpoint after the one found last is
// mostly the one. Otherwise it is looked for by name.
WantedEndpoint* SlicePacker::find(const kube::EndpointRecord& endpoint, const EndpointMaker& maker,
                                  Work& work) {
  if (!endpoint.target) return nullptr;
  std::vector<WantedEndpoint>& wanted = work.group.wanted;
  const Text& name = endpoint.target->name;
  std::size_t at = work.expected;
  if (at >= wanted.size() || !(wanted[at].source.pod->name == name)) {
    const auto found = std::lower_bound(wanted.begin(), wanted.end(), name,
                                        [](const WantedEndpoint& w, const Text& n) {
                                          return w.source.pod->name.view() < n.view();
                                        });
    if (found == wanted.end()) return nullptr;
    at = static_cast<std::size_t>(found - wanted.begin());
  }
  WantedEndpoint& candidate = wanted[at];
  if (candidate.placed || !maker.is_of(endpoint, *candidate.source.pod)) return nullptr;
  work.expected = at + 1;
  return &candidate;
}

void SlicePacker::pack(const EndpointPorts& ports, PortGroup& group, FamilyDraft& draft) {
  Work work(group);
  for (const SliceRef* slice : group.present) keep(*slice, work, draft);
  draft.endpoints_added += work.left;
  fill_updates(work);
  fill_rest(ports, work, draft);
  std::move(work.updates.begin(), work.updates.end(), std::back_inserter(draft.updates));
  std::move(work.untouched.begin(), work.untouched.end(), std::back_inserter(draft.unchanged));
}

void SlicePacker::keep(const SliceRef& slice, Work& work, FamilyDraft& draft) {
  bool changed = false;
  kept_.clear();
  for (const kube::EndpointRecord& endpoint : slice->endpoints) {
    WantedEndpoint* wanted = find(endpoint, maker_, work);
    if (wanted == nullptr) continue;
    if (!maker_.is_current(endpoint, wanted->source)) changed = true;
    wanted->placed = true;
    kept_.push_back(wanted);
  }
  work.left -= kept_.size();
  if (changed || kept_.size() != slice->endpoints.size()) {
    keep_changed(slice, work, draft);
  } else if (!mirrors_labels(slice->labels, service_.labels)) {
    SliceDraft& update = work.updates.emplace_back(SliceDraft{*slice, slice});
    update.value.labels = labels();
    update.value.service = service_.meta.name;
  } else {
    work.untouched.push_back(slice);
  }
}

void SlicePacker::keep_changed(const SliceRef& slice, Work& work, FamilyDraft& draft) {
  draft.endpoints_removed += slice->endpoints.size() - kept_.size();
  if (kept_.empty()) {
    draft.deletes.push_back(slice);
    return;
  }
  SliceDraft& update = work.updates.emplace_back(SliceDraft{copy_without_endpoints(*slice), slice});
  update.value.labels = labels();
  update.value.service = service_.meta.name;
  update.value.endpoints.reserve(kept_.size());
  for (const WantedEndpoint* wanted : kept_)
    update.value.endpoints.push_back(maker_.make(wanted->source));
}

void SlicePacker::fill_updates(Work& work) const {
  if (work.left == 0) return;
  std::vector<SliceDraft*> fullest_first;
  for (SliceDraft& update : work.updates) fullest_first.push_back(&update);
  std::stable_sort(fullest_first.begin(), fullest_first.end(),
                   [](const SliceDraft* a, const SliceDraft* b) {
                     return a->value.endpoints.size() > b->value.endpoints.size();
                   });
  for (SliceDraft* update : fullest_first) fill(update->value.endpoints, work);
}

void SlicePacker::fill_rest(const EndpointPorts& ports, Work& work, FamilyDraft& draft) const {
  while (work.left > 0) {
    if (work.left < max_endpoints_ && fill_untouched(work)) continue;
    SliceDraft& created =
        draft.creates.emplace_back(SliceDraft{new_slice(service_, family_, ports), {}});
    fill(created.value.endpoints, work);
  }
}

// The one that comes closest to being full; the first by name of several.
bool SlicePacker::fill_untouched(Work& work) const {
  auto best = work.untouched.end();
  for (auto slice = work.untouched.begin(); slice != work.untouched.end(); ++slice) {
    const std::size_t filled = (*slice)->endpoints.size() + work.left;
    const bool fits = filled <= max_endpoints_;
    if (fits &&
        (best == work.untouched.end() || (*slice)->endpoints.size() > (*best)->endpoints.size()))
      best = slice;
  }
  if (best == work.untouched.end()) return false;
  SliceDraft& update = work.updates.emplace_back(SliceDraft{**best, *best});
  work.untouched.erase(best);
  fill(update.value.endpoints, work);
  return true;
}

void SlicePacker::fill(std::vector<kube::EndpointRecord>& endpoints, Work& work) const {
  if (endpoints.size() >= max_endpoints_) return;
  std::size_t count = std::min(work.left, max_endpoints_ - endpoints.size());
  work.left -= count;
  endpoints.reserve(endpoints.size() + count);
  for (; count > 0; --count) {
    std::vector<WantedEndpoint>& wanted = work.group.wanted;
    while (wanted[work.next].placed) ++work.next;
    wanted[work.next].placed = true;
    endpoints.push_back(maker_.make(wanted[work.next].source));
  }
}

const kube::LabelSetRef& SlicePacker::labels() {
  if (!labels_) labels_ = slice_labels(service_);
  return labels_;
}

}  // namespace proxima::slices
