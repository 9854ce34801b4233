// SPDX-License-Identifier: Apache-2.0
#include "simulation/scenario.h"

#include <algorithm>

#include "base/split_mix.h"

namespace proxima::simulation {
namespace {

using std::chrono::milliseconds;

// How often, compared with the others.
std::uint64_t weight_of(Happening happening) {
  switch (happening) {
    case Happening::RemoveZone:
    case Happening::ForgetHistory:
    case Happening::RemoveNode:
    case Happening::RemoveService:
    case Happening::StallWatch:
      return 1;
    case Happening::Crash:
    case Happening::CrashLeader:
    case Happening::Restart:
    case Happening::Pause:
    case Happening::PauseLeader:
    case Happening::Partition:
    case Happening::CutOff:
    case Happening::RefuseStandby:
    case Happening::AddService:
    case Happening::AddNode:
      return 2;
    case Happening::FlipPod:
    case Happening::NewConnection:
      return 12;
    default:
      return 5;
  }
}

// Kinds of happenings with their weights. Each fault is left out of half of the scenarios: some
// only show when others do not get in their way.
std::vector<std::pair<Happening, std::uint64_t>> draw_kinds(SplitMix& dice) {
  std::vector<std::pair<Happening, std::uint64_t>> kinds;
  for (std::size_t i = 0; i < kHappenings; ++i) {
    const auto happening = static_cast<Happening>(i);
    if (is_fault(happening) && dice.below(2) == 0) continue;
    kinds.emplace_back(happening, weight_of(happening));
  }
  return kinds;
}

}  // namespace

Scenario draw_scenario(std::uint64_t seed) {
  SplitMix dice(seed, 1);
  Scenario scenario;
  scenario.seed = seed;
  scenario.proxies = 1 + dice.below(3);
  scenario.hostile_stay = dice.below(2) == 0;
  // Not drawn: seeds that tests keep stay as they were.
  scenario.has_written_endpoints = seed % 5 == 0 || seed % 5 == 3;
  // Some last, so that what has been so for long is there while faults still happen.
  scenario.ends =
      std::chrono::seconds(dice.below(3) == 0 ? 180 + dice.below(220) : 30 + dice.below(150));
  const auto kinds = draw_kinds(dice);
  std::uint64_t total = 0;
  for (const auto& [happening, weight] : kinds) total += weight;
  const std::uint64_t count = 40 + dice.below(560);
  const auto span =
      static_cast<std::uint64_t>(std::chrono::duration_cast<milliseconds>(scenario.ends).count());
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t draw = dice.below(total);
    auto kind = kinds.begin();
    while (draw >= kind->second) draw -= (kind++)->second;
    scenario.injections.push_back({milliseconds(dice.below(span)), kind->first, dice.next()});
  }
  std::stable_sort(scenario.injections.begin(), scenario.injections.end(),
                   [](const Injection& a, const Injection& b) { return a.at < b.at; });
  for (std::size_t i = 0; i < scenario.injections.size(); ++i)
    scenario.injections[i].number = i + 1;
  return scenario;
}

void keep_only(Scenario& scenario, const std::set<std::size_t>& numbers) {
  std::erase_if(scenario.injections,
                [&](const Injection& injection) { return !numbers.contains(injection.number); });
}

std::string to_text(const Scenario& scenario) {
  std::string text = "seed " + std::to_string(scenario.seed) + ", " +
                     std::to_string(scenario.replicas) + " controllers, " +
                     std::to_string(scenario.proxies) + " node proxies\n";
  for (const Injection& injection : scenario.injections) text += "  " + to_text(injection) + "\n";
  return text;
}

}  // namespace proxima::simulation
