// SPDX-License-Identifier: Apache-2.0
// Which Services a change of an EndpointSlice is news for. Our own writes come back as changes, and
// are none.
#pragma once

#include <string_view>

#include "controller/service_index.h"
#include "controller/slice_tracker.h"

namespace proxima::controller {

// By the EndpointSlice controller, upstream's or this one.
bool is_managed(const kube::EndpointSliceRecord& slice);

// The tracker forgets what it need not expect any more.
ServiceKeys services_to_sync(const kube::Change<kube::EndpointSliceRecord>& change,
                             SliceTracker& tracker);

}  // namespace proxima::controller
