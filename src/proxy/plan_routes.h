// SPDX-License-Identifier: Apache-2.0
// From a Service and its slices to the routes of one node and family. Pure.
#pragma once

#include <span>
#include <vector>

#include "proxy/node_view.h"
#include "proxy/route_table.h"
#include "proxy/routing_wish.h"
#include "proxy/service_endpoint.h"

namespace proxima::proxy {

struct ServiceInput {
  const kube::ServiceRecord& service;  // that is routed here
  std::span<const SliceRef> slices;    // of the Service; those of other families are passed over
  const NodeView& node;
  const RoutingRules& rules;
  const RoutingWish& wish;
  ServicePortOptions options = {};
};

// One a port, in the order of their keys. Of ports with equal keys the last counts.
std::vector<PortRoutesRef> plan_service(const ServiceInput& input);

// All addresses through which the port is reached, with what happens to packets there.
std::vector<FrontendRouteRef> plan_frontends(const PortRoutes& routes, const RoutingRules& rules);

}  // namespace proxima::proxy
