// SPDX-License-Identifier: Apache-2.0
// How many requests a second each client makes, by the demand of its zone. Pure.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace proxima::traffic {

// The part of all requests that comes from each zone.
using DemandShares = std::map<std::string, double>;

// Requests a second of each client, in the order of `zones`, which says where each is. Without
// `shares` every zone that has clients has an even part. A share or a rate that is no positive
// number counts as 0.
std::vector<double> plan_client_rates(std::span<const std::string> zones,
                                      const std::optional<DemandShares>& shares,
                                      double requests_per_second);

}  // namespace proxima::traffic
