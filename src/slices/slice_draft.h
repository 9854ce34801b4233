// SPDX-License-Identifier: Apache-2.0
// What is going to happen to the EndpointSlices of one Service in one address family.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kube/endpoint_slice_record.h"

namespace proxima::slices {

using SliceRef = Ref<const kube::EndpointSliceRecord>;

// A slice that is to be written.
struct SliceDraft {
  // meta.name none: the server makes a name of generate_name. meta.version 0: whatever is there
  // under that name is replaced.
  kube::EndpointSliceRecord value;
  SliceRef before;  // what it takes the place of; null for a new one
};

struct FamilyDraft {
  kube::AddressType family = kube::AddressType::IPv4;
  std::vector<SliceDraft> creates;
  std::vector<SliceDraft> updates;
  std::vector<SliceRef> unchanged;
  std::vector<SliceRef> deletes;

  // Pods that cannot be published, a sentence each: the rest is written, and the sync fails after.
  std::vector<std::string> problems;

  bool may_be_weighted = true;  // false: no Pod behind it carries a proxima.io/weight other than 1

  std::size_t endpoints_added = 0;
  std::size_t endpoints_removed = 0;
  std::size_t endpoints_desired = 0;
  std::size_t slices_desired = 0;  // if all were packed anew
};

}  // namespace proxima::slices
