// SPDX-License-Identifier: Apache-2.0
// A random small cluster with one Service: nodes with zones, regions and racks, Pods with weights,
// every policy, gates, and slices that somebody else wrote.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/policy/settings.h"
#include "support/kube_records.h"

namespace proxima::truth {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
  bool one_in(std::uint64_t times) { return below(times) == 0; }
  template <class Choices>
  const auto& any_of(const Choices& choices) {
    return choices[below(std::size(choices))];
  }

 private:
  std::mt19937_64 engine_;
};

inline constexpr std::uint16_t kServicePort = 80;
inline constexpr std::uint16_t kPodPort = 8080;

struct World {
  std::uint64_t seed = 0;
  std::vector<Ref<const kube::NodeRecord>> nodes;  // by name
  std::vector<Ref<const kube::PodRecord>> pods;    // by name
  Ref<const kube::ServiceRecord> service;
  Ref<const kube::NamespaceRecord> ns;
  // Slices that nobody of this project wrote: of a Service without a selector, or beside ours.
  std::vector<Ref<const kube::EndpointSliceRecord>> foreign;
  // By name; those that are there after some came and went.
  std::vector<Ref<const kube::PodRecord>> pods_later;
  policy::FeatureGates gates;
  std::uint32_t slice_size = 100;
  std::chrono::minutes later{0};  // when the controller plans once more; 0: it does not
};

World random_world(std::uint64_t seed);
// Two zones with a node each, a Pod in the first alone, and a Service with these annotations.
World two_zones(const std::map<std::string, std::string>& annotations, std::chrono::minutes later);
// What a person needs to see of it, one line a thing.
std::string describe(const World& world);

}  // namespace proxima::truth
