// SPDX-License-Identifier: Apache-2.0
// Which Endpoints objects are to be looked at because something has changed. Pure, but for the
// tracker.
#pragma once

#include <string>
#include <vector>

#include "controller/slice_tracker.h"
#include "kube/cache.h"
#include "kube/endpoints_record.h"
#include "kube/service_record.h"

namespace proxima::controller {

bool wants_mirroring(const kube::Change<kube::EndpointsRecord>& change);

// A Service counts by whether it has a selector, not by which.
bool wants_mirroring(const kube::Change<kube::ServiceRecord>& change);

// Keys, "shop/db": none for our own writes, two when a slice was given to another Service. The
// tracker forgets what it need not expect any more.
std::vector<std::string> mirrors_to_sync(const kube::Change<kube::EndpointSliceRecord>& change,
                                         SliceTracker& tracker);

}  // namespace proxima::controller
