// SPDX-License-Identifier: Apache-2.0
// What the node proxy sees of the cluster; each cache is written by its reflector's thread.
#pragma once

#include "kube/cache.h"
#include "kube/endpoint_slice_record.h"
#include "kube/node_record.h"
#include "kube/service_cidr_record.h"
#include "kube/service_record.h"

namespace proxima::proxy {

struct ProxyCaches {
  kube::Cache<kube::ServiceRecord> services;
  kube::Cache<kube::EndpointSliceRecord> slices;
  kube::Cache<kube::NodeRecord> nodes;  // the own one
  kube::Cache<kube::ServiceCidrRecord> ranges;
};

}  // namespace proxima::proxy
