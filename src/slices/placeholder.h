// SPDX-License-Identifier: Apache-2.0
// The empty slice that stands where a Service has no endpoints: it tells that somebody has looked.
#pragma once

#include "kube/service_record.h"
#include "slices/slice_draft.h"

namespace proxima::slices {

// Whether a slice of the family is as good as the placeholder that would be made now. One that
// belongs to an earlier Service of the same name is not: it is about to be collected.
bool is_placeholder(const kube::EndpointSliceRecord& slice, const kube::ServiceRecord& service);

// For a family where every slice is to be deleted and none to be created: leaves a placeholder.
void leave_placeholder(const kube::ServiceRecord& service, FamilyDraft& draft);

}  // namespace proxima::slices
