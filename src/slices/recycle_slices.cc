// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "slices/new_slice.h"
#include "slices/pack_family.h"

namespace proxima::slices {

void recycle_slices(const kube::ServiceRecord& service, FamilyDraft& draft) {
  std::vector<SliceRef> kept;
  for (SliceRef& slice : draft.deletes) {
    // What belongs to an earlier Service of the same name is being collected: whatever is written
    // under its name goes with it. The address type of a slice can not be changed.
    const bool usable = !draft.creates.empty() && slice->address_type == draft.family &&
                        is_owned_by(*slice, service);
    if (!usable) {
      kept.push_back(std::move(slice));
      continue;
    }
    SliceDraft recycled = std::move(draft.creates.back());
    draft.creates.pop_back();
    recycled.value.meta.name = slice->meta.name;
    recycled.before = std::move(slice);
    draft.updates.push_back(std::move(recycled));
  }
  draft.deletes = std::move(kept);
}

}  // namespace proxima::slices
