// SPDX-License-Identifier: Apache-2.0
// The cluster that is simulated, apart from Proxima: nodes in zones, Pods, Services, and those who
// change them. Everything is written straight into the store.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/split_mix.h"
#include "simulation/fault.h"
#include "simulation/history.h"
#include "simulation/model_store.h"

namespace proxima::simulation {

inline constexpr const char* kNamespace = "shop";
inline constexpr const char* kServiceName = "kubernetes.io/service-name";
inline constexpr const char* kManagedBy = "endpointslice.kubernetes.io/managed-by";
inline constexpr const char* kOurManager = "endpointslice-controller.k8s.io";

class ClusterWorld {
 public:
  ClusterWorld(ModelStore& store, Scheduler& scheduler, History& history)
      : store_(store), scheduler_(scheduler), history_(history) {}

  // A first cluster. Nodes are "node-0" and so on.
  void build(SplitMix& dice);
  // One of the things that users, kubelets and strangers do; false: there is nothing to do it to.
  bool act(const Injection& injection);
  // What the garbage collectors of a cluster take away sooner or later: slices whose Service is
  // gone, Pods whose node is.
  void collect_garbage(bool pods);
  void remove_hostile_objects();
  std::int64_t wall_seconds() const;

 private:
  void add_node(SplitMix& dice);
  void add_pod(SplitMix& dice);
  void add_service(SplitMix& dice);
  bool change_service(SplitMix& dice);
  bool flip_pod(SplitMix& dice);
  bool end_pod(SplitMix& dice);
  bool remove_pod(SplitMix& dice);
  bool remove_service(SplitMix& dice);
  bool remove_node(SplitMix& dice);
  bool remove_zone(SplitMix& dice);
  bool tamper_slice(SplitMix& dice);
  bool steal_slice(SplitMix& dice);
  bool foreign_slice(SplitMix& dice);
  void add_hostile_object(SplitMix& dice);
  void put(std::string_view kind, json::object object);
  bool erase(std::string_view kind, const std::string& key);
  // "" when there is none.
  std::string pick(std::string_view kind, SplitMix& dice) const;
  std::string pick_ours(SplitMix& dice) const;

  ModelStore& store_;
  Scheduler& scheduler_;
  History& history_;
  std::uint64_t pods_made_ = 0;
  std::uint64_t services_made_ = 0;
  std::uint64_t nodes_made_ = 0;
  std::uint64_t others_made_ = 0;
};

}  // namespace proxima::simulation
