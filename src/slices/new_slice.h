// SPDX-License-Identifier: Apache-2.0
// A slice that does not exist yet: its metadata, and whose it is.
#pragma once

#include <string>
#include <string_view>

#include "kube/endpoint_slice_record.h"
#include "kube/service_record.h"
#include "slices/endpoint_ports.h"

namespace proxima::slices {

// Without endpoints.
kube::EndpointSliceRecord new_slice(const kube::ServiceRecord& service, kube::AddressType family,
                                    EndpointPorts ports);

// What the server makes the name of: "web-", unless that could not begin a name.
std::string generated_name_prefix(std::string_view service);

// Whether a slice goes when the Service goes. Another Service of the same name has another uid.
bool is_owned_by(const kube::EndpointSliceRecord& slice, const kube::ServiceRecord& service);

}  // namespace proxima::slices
