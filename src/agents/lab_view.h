// SPDX-License-Identifier: Apache-2.0
// What a view of the cluster says in the lab's words: zones and nodes, the status, and whether
// everything that was asked for is there. Pure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "agents/agent_pass.h"
#include "agents/lab_status.h"
#include "agents/lab_wishes.h"
#include "agents/scale_plan.h"

namespace proxima::agents {

// Nodes that take part: name → zone.
std::map<std::string, std::string> nodes_of(const AgentView& view);
std::vector<std::string> names_of(const std::map<std::string, std::string>& nodes);
// Zones that have nodes, ascending.
std::vector<std::string> zones_of(const AgentView& view);
std::vector<std::string> nodes_in(const AgentView& view, const std::string& zone);

LabStatus lab_status(const AgentView& view, const LabWishes& wishes);

// Every Pod of a node with power, and so many nodes, are Ready; no Pod waits for a node.
bool is_settled(const AgentView& view, std::size_t nodes);
// Every Service that could be a target is one.
bool serves_all(const AgentView& view, const std::set<std::string>& targets);

// The diff of a Service's Pods in these zones.
ScalePlan plan_scale(const AgentView& view, const kube::ServiceRecord& service,
                     const std::map<std::string, std::size_t>& wanted);
// What was made is there, and what was deleted ends or is gone.
bool shows(const AgentView& view, const std::string& ns, const ScalePlan& plan);

}  // namespace proxima::agents
