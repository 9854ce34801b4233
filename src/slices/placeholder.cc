// SPDX-License-Identifier: Apache-2.0
#include "slices/placeholder.h"

#include <algorithm>

#include "slices/new_slice.h"
#include "slices/slice_labels.h"

namespace proxima::slices {
namespace {

// A label with an empty value is as good as none.
bool covers(const kube::LabelSet& labels, const kube::LabelSetRef& by) {
  return std::all_of(labels.all().begin(), labels.all().end(), [&](const kube::LabelText& label) {
    return kube::label(by, label.key.view()).view() == label.value.view();
  });
}

}  // namespace

bool is_placeholder(const kube::EndpointSliceRecord& slice, const kube::ServiceRecord& service) {
  if (!slice.endpoints.empty() || !slice.ports.empty() || !is_owned_by(slice, service))
    return false;
  const kube::LabelSetRef wanted = slice_labels(service);
  return covers(*wanted, slice.labels) && (!slice.labels || covers(*slice.labels, wanted));
}

void leave_placeholder(const kube::ServiceRecord& service, FamilyDraft& draft) {
  if (draft.deletes.size() == 1 && is_placeholder(*draft.deletes.front(), service)) {
    draft.unchanged.push_back(draft.deletes.front());
    draft.deletes.clear();
  } else {
    draft.creates.push_back(SliceDraft{new_slice(service, draft.family, {}), {}});
  }
}

}  // namespace proxima::slices
