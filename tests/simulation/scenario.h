// SPDX-License-Identifier: Apache-2.0
// What happens in one simulation: drawn from a seed, and shorter where somebody has left things
// out.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "simulation/fault.h"

namespace proxima::simulation {

struct Scenario {
  std::uint64_t seed = 0;
  std::size_t replicas = 2;
  std::size_t proxies = 2;
  bool hostile_stay = false;           // objects that nobody can use, for good
  bool has_written_endpoints = false;  // users write Endpoints, which are mirrored
  Time ends{0};                        // of the injections; the cluster is left alone then
  std::vector<Injection> injections;   // by time
};

Scenario draw_scenario(std::uint64_t seed);
// Without all injections but those with these numbers.
void keep_only(Scenario& scenario, const std::set<std::size_t>& numbers);
// One line an injection.
std::string to_text(const Scenario& scenario);

}  // namespace proxima::simulation
