// SPDX-License-Identifier: Apache-2.0
// How many requests a second each client makes, by the demand of its zone. Pure.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace proxima::traffic {

struct ClientPlace {
  std::string zone;
  bool live = true;  // not paused
};

// The part of all requests that comes from each zone.
using DemandShares = std::map<std::string, double>;

// Requests a second of each client, in their order. Without `shares` every zone that has clients,
// live or not, has an even part. A share or a rate that is no positive number counts as 0.
std::vector<double> plan_client_rates(std::span<const ClientPlace> clients,
                                      const std::optional<DemandShares>& shares,
                                      double requests_per_second);

}  // namespace proxima::traffic
