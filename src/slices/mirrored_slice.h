// SPDX-License-Identifier: Apache-2.0
// The slice that mirrors a part of an Endpoints object: its metadata, and whose it is.
#pragma once

#include "kube/endpoints_record.h"
#include "slices/endpoint_ports.h"

namespace proxima::slices {

// Without a name and without endpoints.
kube::EndpointSliceRecord new_mirrored_slice(const kube::EndpointsRecord& endpoints,
                                             kube::AddressType family, EndpointPorts ports);

// Whether a slice has the metadata that new_mirrored_slice() gives. Owners that somebody added do
// not count; one that is an earlier Endpoints object of the same name does.
bool has_mirrored_metadata(const kube::EndpointSliceRecord& slice,
                           const kube::EndpointsRecord& endpoints);

}  // namespace proxima::slices
