// SPDX-License-Identifier: Apache-2.0
// The cluster that is simulated, apart from Proxima: nodes in zones, Pods, Services, and those who
// change them. Everything is written straight into the store.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/ip_address.h"
#include "base/split_mix.h"
#include "simulation/fault.h"
#include "simulation/history.h"
#include "simulation/model_store.h"

namespace proxima::simulation {

inline constexpr const char* kNamespace = "shop";
inline constexpr const char* kServiceName = "kubernetes.io/service-name";
inline constexpr const char* kManagedBy = "endpointslice.kubernetes.io/managed-by";
inline constexpr const char* kOurManager = "endpointslice-controller.k8s.io";
// Of objects that nobody can use. What becomes of them is open; the rest must be as it should.
inline constexpr const char* kHostileName = "hostile-";
inline bool is_hostile(std::string_view key) { return key.find(kHostileName) != key.npos; }

// As "addressType" and "ipFamilies" name it.
inline const char* family_text(IpFamily family) { return family == IpFamily::V4 ? "IPv4" : "IPv6"; }

class ClusterWorld {
 public:
  ClusterWorld(ModelStore& store, Scheduler& scheduler, History& history)
      : store_(store), scheduler_(scheduler), history_(history) {}

  // A first cluster. Nodes are "node-0" and so on.
  void build(SplitMix& dice);
  // One of the things that users, kubelets and strangers do; false: there is nothing to do it to.
  bool act(const Injection& injection);
  // One that a Service routes to, or would.
  void flip_selected_pod(SplitMix& dice);
  // What the garbage collectors of a cluster take away sooner or later: slices whose Service is
  // gone, Pods whose node is.
  void collect_garbage(bool pods);
  void remove_hostile_objects();
  // Nobody notices them.
  void let_hostile_objects_stay() { hostile_stay_ = true; }
  std::int64_t wall_seconds() const;
  // Something that has begun is still to end, as Pods that are being deleted do.
  bool has_plans() const { return pending_ > 0; }

 private:
  void later(Time delay, std::function<void()> act);
  void add_node(SplitMix& dice);
  void add_pod(SplitMix& dice);
  void add_service(SplitMix& dice);
  bool change_service(SplitMix& dice);
  bool flip_pod(const std::string& key);
  bool end_pod(SplitMix& dice);
  bool remove_pod(SplitMix& dice);
  bool remove_service(SplitMix& dice);
  bool remove_node(SplitMix& dice);
  bool remove_zone(SplitMix& dice);
  bool tamper_slice(SplitMix& dice);
  bool steal_slice(SplitMix& dice);
  bool foreign_slice(SplitMix& dice);
  void add_hostile_object(SplitMix& dice);
  bool write_hostile_value(SplitMix& dice);
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
  std::uint64_t pending_ = 0;
  bool hostile_stay_ = false;
};

}  // namespace proxima::simulation
