// SPDX-License-Identifier: Apache-2.0
// Where traffic starts: the share of each place and of each node.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/model/snapshot.h"
#include "core/policy/settings.h"

namespace proxima::plan {

struct Demand {
  std::vector<double> by_place;      // zones of the snapshot, then "no zone"; sum 1
  std::vector<double> by_node;       // sum 1; zero for nodes that start nothing
  std::vector<std::uint64_t> units;  // by place: CPU in milli, nodes, clients, or traffic × 1000
  // By place, with those that are not ready: more than units only for clients.
  std::vector<std::uint64_t> all_units;
  std::vector<policy::Note> notes;  // DemandUnknown (then: even over the zones), UnplacedNodes
};

// `setting`: with clients as "NAMESPACE/Kind/name", see policy::client_workload.
// `measured`: traffic by zone name, in any unit, for DemandSource::Measured; when it is empty the
// nodes themselves say what starts on them.
Demand plan_demand(const model::Snapshot& snapshot, const policy::DemandSetting& setting,
                   const std::map<std::string, double>& measured);

}  // namespace proxima::plan
