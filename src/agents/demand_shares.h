// SPDX-License-Identifier: Apache-2.0
// Which part of all requests comes from which zone: parts that add up to 1. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace proxima::agents {

using DemandShares = std::map<std::string, double>;

// Any parts, made to add up to 1; all alike when there is nothing to divide.
DemandShares normalized(DemandShares parts);
// The shares of exactly these zones: a new one gets the mean of the others, one that is gone
// leaves its part to them.
DemandShares shares_of(const DemandShares& present, const std::vector<std::string>& zones);
// `present` with the named zones at these shares; the others divide the rest as they did. An error
// names the zone: there is no such one, or its share is not from 0 to 1, or all are too much.
Result<DemandShares> changed_shares(const DemandShares& present, const DemandShares& named);

// Of each node, by name, in percent of all requests: its zone's share, divided evenly. `zones` says
// where each node is that makes requests.
std::map<std::string, double> traffic_of(const DemandShares& shares,
                                         const std::map<std::string, std::string>& zones);

}  // namespace proxima::agents
