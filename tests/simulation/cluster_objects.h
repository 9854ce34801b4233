// SPDX-License-Identifier: Apache-2.0
// What objects of a cluster say, read from their JSON: the checks share nothing with the product.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/ip_address.h"
#include "simulation/model_store.h"

namespace proxima::simulation {

// An empty one when it is not there.
const json::object& section(const json::object& object, std::string_view field);
const json::array& list(const json::object& object, std::string_view field);
// "" when it is not there.
std::string label(const json::object& object, std::string_view name);

// A Service without a selector selects nothing.
bool is_selected(const json::object& service, const json::object& pod);
bool has_family(const json::object& service, IpFamily family);
// A Pod that ends is not ready.
bool is_ready(const json::object& pod);
std::string node_of(const json::object& pod);
// "" when it has none of that family.
std::string pod_address(const json::object& pod, IpFamily family);

bool belongs_to(const json::object& slice, const json::object& service);
bool is_ours(const json::object& slice);
// Its endpoints; none without ports, because no Service has a port that such a slice serves.
const json::array& usable_endpoints(const json::object& slice);
bool endpoint_is_ready(const json::object& endpoint);
// A hostile Pod that looks like a Pod is an endpoint, and may share its address with another one.
bool is_of_hostile_pod(const json::object& endpoint);
// What speaks for one of two endpoints with the same address, as proxies have it: an address may
// be given to a new Pod before the old one is gone, and who wrote later knows better.
using Precedence = std::pair<bool, std::uint64_t>;
Precedence precedence_of(const json::object& slice, const json::object& endpoint);

}  // namespace proxima::simulation
