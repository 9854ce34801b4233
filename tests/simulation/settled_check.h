// SPDX-License-Identifier: Apache-2.0
// Whether a cluster that is left alone has become what it should be. What slices should hold is
// worked out twice: from the objects alone, by a few lines that share nothing with the product, and
// by the product's own planner, which must find nothing left to write.
#pragma once

#include <set>
#include <string>

#include "simulation/model_kernel.h"
#include "simulation/model_store.h"

namespace proxima::simulation {

// Each returns what is wrong, "" when nothing is.

// Every Pod that a Service selects is in its slices, once, and ready there when it is ready.
std::string check_endpoints(const ModelStore& store);
// Of a slice, or of all slices of a Service: all ready endpoints have hints, or none. With
// `trafficDistribution` a hint is the zone of the endpoint itself, so one without a zone has none,
// as upstream has it; node proxies then leave all hints aside.
enum class Zoneless : std::uint8_t { MayLackHints, Count };
std::string check_hints(const json::object& slice, Zoneless zoneless);
std::string check_all_hints(const ModelStore& store);
// The planner wants no slice to be another, and its plan keeps all promises: bounds of `balanced`
// among them.
std::string check_plan(const ModelStore& store, std::int64_t wall_seconds);
// Every Service with a ready endpoint is delivered to one of them on the node.
std::string check_routes(const ModelStore& store, const ModelKernel& kernel);
// Of addresses that Services ever had, those that none has now are treated as one that none ever
// had: no rule is left of them.
std::string check_former_addresses(const ModelStore& store, const std::set<IpAddress>& ever,
                                   const ModelKernel& kernel);
// No UDP flow to a Service with a ready endpoint goes on to a backend that does not serve it.
std::string check_flows(const ModelStore& store, const ModelKernel& kernel);

}  // namespace proxima::simulation
