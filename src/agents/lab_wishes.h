// SPDX-License-Identifier: Apache-2.0
// What somebody wants of a lab that Kubernetes has no object for.
#pragma once

#include <map>
#include <string>

#include "agents/demand_shares.h"
#include "agents/node_keeper.h"

namespace proxima::agents {

struct LabWishes {
  PowerCuts cuts;
  DemandShares demand;
  double requests_per_second = 0;
  std::map<std::string, double> parts;  // of the requests, of Services whose part is not 1
};

}  // namespace proxima::agents
