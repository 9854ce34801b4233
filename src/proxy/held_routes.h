// SPDX-License-Identifier: Apache-2.0
// Services whose routes cannot be turned into rules, because an invariant breaks on the way, keep
// the routes that were written last. Pure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "proxy/route_changes.h"
#include "proxy/route_table.h"

namespace proxima::proxy {

using ServiceName = std::pair<Text, Text>;  // namespace and Service
// With what broke, as in Breakdown.
using BrokenServices = std::map<ServiceName, std::string>;

inline ServiceName service_of(const ServicePortKey& port) { return {port.ns, port.service}; }

// `wanted`, with the routes that these Services have in `written` instead of their own; none where
// they have none there.
RouteTable with_held_routes(RouteTable wanted, const RouteTable& written,
                            const std::set<ServiceName>& services);

// From `before` to `after`, which differ at most in what `changes` names and in those Services.
RouteChanges changes_with_held(const RouteTable& before, const RouteTable& after,
                               const RouteChanges& changes, const std::set<ServiceName>& services);

}  // namespace proxima::proxy
