// SPDX-License-Identifier: Apache-2.0
// What a controller has in view when it writes slices, however old that is. A plan keeps its
// promises for any view, and a split that is published is that of a view that its sender had.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "controller/cluster_caches.h"
#include "core/plan/cluster_plan.h"
#include "simulation/model_store.h"
#include "simulation/scheduler.h"

namespace proxima::simulation {

class SenderView {
 public:
  // Listens to the caches, and must outlive them.
  SenderView(controller::ClusterCaches& caches, const Scheduler& scheduler,
             plan::PlanOptions options);
  SenderView(const SenderView&) = delete;
  SenderView& operator=(const SenderView&) = delete;

  struct Checked {
    std::string wrong = {};  // "": nothing
    bool has_plan = false;   // the Service is in view, so there was something to check
    bool has_split = false;
  };
  // Of a slice that was written just now: the plan of its Service keeps its promises (core/audit,
  // bounds of `balanced` among them), and its split is no further from that of a view than
  // publishing allows.
  Checked check(const json::object& slice);
  // Whether the Service of a slice is without `trafficDistribution` in all that was seen for a
  // while.
  bool never_prefers_zones(const json::object& slice) const;

 private:
  using Nodes = kube::CacheSnapshot<kube::NodeRecord>;
  enum class Begun : std::uint8_t { ByNodes, ByOthers };
  // Snapshots share what they have in common, so to keep one costs next to nothing.
  struct Seen {
    Begun begun;
    Time until;  // when it was over; kNever: it is what is seen now
    kube::CacheSnapshot<kube::PodRecord> pods;
    kube::CacheSnapshot<kube::ServiceRecord> services;
    Nodes nodes;
    kube::CacheSnapshot<kube::NamespaceRecord> namespaces;
  };

  void change(Begun begun);
  // Those that the planner may have taken in: a worker of its own does that.
  std::vector<Nodes> nodes_seen() const;
  bool was_split_of_some_view(const kube::ObjectKey& service, kube::AddressType family,
                              const std::string& published) const;

  controller::ClusterCaches& caches_;
  const Scheduler& scheduler_;
  plan::PlanOptions options_;
  std::deque<Seen> seen_;  // the newest first
};

}  // namespace proxima::simulation
