// SPDX-License-Identifier: Apache-2.0
// One service at a time, planned against nodes that stay. What the nodes contribute (zones, demand,
// CPU ratios, prices) is worked out once; a service is put in, planned as in a plan of the whole
// cluster, and taken out again, its names included. Its plan costs what the service costs, whatever
// the number of nodes and of services; only demand `clients` looks at every node. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/plan/cluster_plan.h"
#include "core/plan/service_planner.h"

namespace proxima::plan {

class ServiceFrame {
 public:
  // `nodes` holds nodes and zones, and nothing else. `options` borrows as it always does.
  ServiceFrame(model::Snapshot nodes, const PlanOptions& options);
  ServiceFrame(const ServiceFrame&) = delete;
  ServiceFrame& operator=(const ServiceFrame&) = delete;

  // None when no node has that name, or stands there.
  model::NodeIndex node(std::string_view name) const;
  model::ZoneIndex zone(std::string_view name) const;
  const model::Snapshot& snapshot() const { return *world_; }
  // For those who keep names of the nodes, or notes about them, longer than the frame.
  model::SnapshotPtr shared_snapshot() const { return world_; }
  const policy::CpuRatios& cpu_ratios() { return planner_.ratios(options().auto_options.missing); }

  // A service is put in step by step: begin, the rest in any order but slices of IPv4 first, plan.
  // Names of the service before are gone with it.
  void begin();
  NameId intern(std::string_view text) { return world_->names.intern(text); }
  StringPool& names() { return world_->names; }
  // The first one is the service's own; others are those that clients live in.
  model::NamespaceIndex add(const model::Namespace& ns);
  // `service` without its ranges, which the frame fills in.
  void put(model::Service service, std::span<const model::ServicePort> ports,
           std::span<const NameId> topology_keys);
  // `slice` without its endpoints: those that are added next.
  void add(model::EndpointSlice slice);
  // Without `hints`, which follow: indices, or model::kUnknownHint.
  void add(model::Endpoint endpoint, std::span<const std::uint32_t> zone_hints,
           std::span<const std::uint32_t> node_hints);
  void add_client(const model::Pod& pod) { world_->pods.push_back(pod); }

  // One plan a family, valid until the next begin(). `now` as in PlanOptions.
  const ClusterPlan& plan(const PublishedNow& published, std::optional<WallTime> now = {});

 private:
  const policy::Settings& options() const { return plan_.options.defaults; }

  std::shared_ptr<model::Snapshot> world_;
  ClusterPlan plan_;
  ServicePlanner planner_;
  StringPool::Mark own_names_;
  std::vector<model::NodeIndex> node_of_;  // by name
  std::vector<model::ZoneIndex> zone_of_;  // by name
};

}  // namespace proxima::plan
