// SPDX-License-Identifier: Apache-2.0
// What mirroring knows of a cluster. Of slices only those that mirror something: the server picks
// them out.
#pragma once

#include "kube/cache.h"
#include "kube/endpoint_slice_record.h"
#include "kube/endpoints_record.h"
#include "kube/service_record.h"

namespace proxima::controller {

struct MirroringCaches {
  kube::Cache<kube::ServiceRecord> services;
  kube::Cache<kube::EndpointsRecord> endpoints;
  kube::Cache<kube::EndpointSliceRecord> slices;

  bool synced() const {
    return services.has_synced() && endpoints.has_synced() && slices.has_synced();
  }
  // Whether all follow the API server at present.
  bool are_current(Clock::SteadyTime now) const {
    return services.freshness().is_current(now) && endpoints.freshness().is_current(now) &&
           slices.freshness().is_current(now);
  }
};

}  // namespace proxima::controller
