// SPDX-License-Identifier: Apache-2.0
#include "agents/node_duty.h"

#include <algorithm>
#include <array>

#include "core/model/labels.h"

namespace proxima::agents {
namespace {

bool is_lost(const LabNode& lab, Clock::SteadyTime now) {
  return lab.power == Power::Off && now - lab.off_since >= kLostAfter;
}

bool has_addresses(const kube::NodeRecord& node, const MachineAddresses& addresses) {
  const std::array wanted = {addresses.v4, addresses.v6};
  return std::equal(node.internal_ips.begin(), node.internal_ips.end(), wanted.begin(),
                    wanted.end());
}

}  // namespace

Text zone_of(const kube::NodeRecord& node) { return kube::label(node.labels, model::kZoneLabel); }

NodeDuty node_duty(const kube::NodeRecord* node, const LabNode* lab, Clock::SteadyTime now) {
  const Text zone = node == nullptr ? Text() : zone_of(*node);
  const bool wanted = !zone.view().empty() && !node->meta.terminating;
  if (lab == nullptr) return wanted ? NodeDuty::Add : NodeDuty::None;
  // A machine that moves to another zone is another machine: programs say where they run.
  if (!wanted || zone.view() != lab->zone) return NodeDuty::Forget;
  if (lab->power == Power::On)
    return node->ready && has_addresses(*node, lab->addresses) ? NodeDuty::None
                                                               : NodeDuty::ReportWell;
  return node->ready && is_lost(*lab, now) ? NodeDuty::ReportLost : NodeDuty::None;
}

NodeState node_state(bool present, const LabNode* lab, Clock::SteadyTime now) {
  if (!present) return NodeState::Gone;
  if (lab == nullptr) return NodeState::Foreign;
  if (lab->power == Power::On) return NodeState::On;
  return is_lost(*lab, now) ? NodeState::Lost : NodeState::Off;
}

}  // namespace proxima::agents
