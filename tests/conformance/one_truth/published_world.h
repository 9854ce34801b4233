// SPDX-License-Identifier: Apache-2.0
// A world whose controller has written its slices, all of them or some, asked where a node's
// traffic goes: as `explain` tells it, by the plan and by the slices, and as the node proxy routes
// it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/plan/traffic.h"
#include "proxy/route_table.h"
#include "random_world.h"
#include "slices/slice_draft.h"

namespace proxima::truth {

using SliceRef = Ref<const kube::EndpointSliceRecord>;
// By address; what is missing is rejected.
using Shares = std::map<std::string, double>;

struct Answer {
  Shares shares;
  std::string why;
};

enum class Moment {
  Settled,      // the slices say what the plan says
  HalfWritten,  // Pods came and went, and some of the writes for that are done
};

class PublishedWorld {
 public:
  PublishedWorld(const World& world, Moment moment);

  // Of its slices, one line each.
  std::string annotations() const;
  std::vector<IpFamily> families() const;
  Answer explained(std::size_t node, IpFamily family, plan::RouteSource source) const;
  // Of that node's proxy.
  proxy::RouteTable routes(std::size_t node, IpFamily family) const;
  static Answer routed(const proxy::RouteTable& routes);
  // Of the slots that the kernel picks from.
  static Answer in_slots(const proxy::RouteTable& routes);

 private:
  using Pods = std::vector<Ref<const kube::PodRecord>>;
  void publish(const Pods& pods, WallTime now, Dice* skips);
  void write(const slices::FamilyDraft& draft, Dice* skips);

  const World& world_;
  const Pods& pods_;
  plan::PlanOptions options_;
  std::vector<SliceRef> slices_;
  std::uint64_t version_ = 1000;
  model::SnapshotPtr snapshot_;
  plan::ClusterPlan plan_;
};

}  // namespace proxima::truth
