// SPDX-License-Identifier: Apache-2.0
// Users who write Endpoints for Services without a selector, and what the slices that mirror them
// should hold.
#pragma once

#include <string>
#include <string_view>

#include "base/split_mix.h"
#include "simulation/cluster_world.h"

namespace proxima::simulation {

class WrittenEndpoints {
 public:
  WrittenEndpoints(ModelStore& store, const ClusterWorld& world, History& history)
      : store_(store), world_(world), history_(history) {}

  // The first Services with their Endpoints.
  void build(SplitMix& dice);
  // One of the things that users do with them.
  void change(SplitMix& dice);

 private:
  void put(std::string_view kind, json::object object);
  void erase(std::string_view kind, const std::string& key);
  void write_service(std::uint64_t number, SplitMix& dice);
  void write_endpoints(std::uint64_t number, SplitMix& dice);
  void toggle_selector(const std::string& key, SplitMix& dice);
  void toggle_mirroring(const std::string& key);

  ModelStore& store_;
  const ClusterWorld& world_;
  History& history_;
};

// "" when slices mirror each Endpoints of a Service without a selector, every address once, and no
// others.
std::string check_mirrored(const ModelStore& store);

}  // namespace proxima::simulation
