// SPDX-License-Identifier: Apache-2.0
// Which Services and EndpointSlices are this proxy's business: as selectors for the API server, and
// as predicates for those that come through all the same.
#pragma once

#include <string>
#include <string_view>

#include "kube/endpoint_slice_record.h"
#include "kube/service_record.h"

namespace proxima::proxy {

struct WatchSelection {
  std::string service_labels;
  std::string service_fields;
  std::string slice_labels;
};

// `proxy_name` is what Services name in the label service.kubernetes.io/service-proxy-name to be
// routed by this proxy; "" takes those that name nobody, as kube-proxy does. So a proxy with a name
// can stand beside kube-proxy on the same nodes.
WatchSelection watch_selection(std::string_view proxy_name);

// Whether its traffic is routed here: named for this proxy, and with an address to route.
bool is_routed(const kube::ServiceRecord& service, std::string_view proxy_name);
// Whether its endpoints count. Whose Service it belongs to is not looked at.
bool is_routed(const kube::EndpointSliceRecord& slice);

}  // namespace proxima::proxy
