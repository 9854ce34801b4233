// SPDX-License-Identifier: Apache-2.0
#include "agents/pod_duty.h"

#include <algorithm>
#include <array>

namespace proxima::agents {
namespace {

bool has_addresses(const kube::PodRecord& pod, const MachineAddresses& addresses) {
  const std::array wanted = {addresses.v4, addresses.v6};
  const auto present = pod.addresses.all();
  return std::equal(present.begin(), present.end(), wanted.begin(), wanted.end());
}

PodDuty duty_on_a_node_with_power(const PodFacts& facts) {
  const kube::PodRecord& pod = *facts.pod;
  const RunningPod* running = facts.running;
  if (pod.terminating) {
    const bool serves = running != nullptr && running->serves_until.value_or(facts.now) > facts.now;
    return serves ? PodDuty::None : PodDuty::End;
  }
  if (running == nullptr || running->port != facts.port) return PodDuty::Start;
  const bool told =
      pod.phase == model::PodPhase::Running && pod.ready && has_addresses(pod, running->addresses);
  return told ? PodDuty::None : PodDuty::Report;
}

}  // namespace

PodDuty pod_duty(const PodFacts& facts) {
  const kube::PodRecord* pod = facts.pod;
  const bool finished = pod != nullptr && (pod->phase == model::PodPhase::Succeeded ||
                                           pod->phase == model::PodPhase::Failed);
  if (pod == nullptr || finished)
    return facts.running != nullptr ? PodDuty::Discard : PodDuty::None;
  // Another Pod of the same name, or bound elsewhere: what runs is not it.
  if (facts.running != nullptr &&
      (facts.running->uid != pod->uid.view() || facts.running->node != pod->node.view()))
    return PodDuty::Discard;
  if (!pod->node) return pod->terminating ? PodDuty::None : PodDuty::Place;
  switch (facts.node) {
    case NodeState::Foreign:
    case NodeState::Off:
      return PodDuty::None;
    case NodeState::Gone:
      return PodDuty::Remove;
    case NodeState::Lost:
      return pod->ready ? PodDuty::ReportLost : PodDuty::None;
    case NodeState::On:
      break;
  }
  return duty_on_a_node_with_power(facts);
}

std::chrono::milliseconds serving_time(const kube::PodRecord& pod, Clock::WallTime now) {
  const Clock::WallTime end{std::chrono::seconds(pod.ends_at)};
  return std::clamp(std::chrono::duration_cast<std::chrono::milliseconds>(end - now),
                    std::chrono::milliseconds(kServingAfterDeletionMin),
                    std::chrono::milliseconds(kServingAfterDeletionMax));
}

}  // namespace proxima::agents
