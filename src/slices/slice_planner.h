// SPDX-License-Identifier: Apache-2.0
// Who should serve whom, written into the slices of one Service: asks the engine, puts hints and
// splits on the drafts, turns slices that would have been left alone into updates where they say
// something else, and tells what was decided. The cost of one decision does not depend on the
// number of nodes: what they contribute is worked out when they change.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/plan/cluster_plan.h"
#include "core/plan/conditions.h"
#include "kube/cache_snapshot.h"
#include "kube/node_record.h"
#include "kube/pod_record.h"
#include "kube/service_record.h"
#include "slices/slice_draft.h"

namespace proxima::slices {

// How one zone fares; zones by name.
struct ZoneFigures {
  std::string zone;               // "" for what has none
  std::uint32_t endpoints = 0;    // ready ones that stand there
  std::uint32_t hinted = 0;       // ready ones that are published for it
  double demand = 0;              // its share of the traffic
  double local_share = 0;         // of its traffic, what stays
  double predicted_overload = 0;  // its endpoints' load over their fair share, minus 1
};

// What upstream's controller tells about such a decision, without the address type at its end.
struct HintNews {
  std::string reason;  // TopologyAwareHintsEnabled, TopologyAwareHintsDisabled
  std::string message;
};

// A zone that lacks endpoints and may use others for some time; by name.
struct FailingZone {
  std::string zone;
  bool spent = false;
  std::string sentence;  // of its reason, filled in; "" while no endpoint is ready anywhere
};

struct FamilyDecision {
  kube::AddressType family = kube::AddressType::IPv4;
  policy::PolicyKind policy = policy::PolicyKind::ClusterWide;
  policy::Reason reason{};
  std::string sentence;  // the reason's, filled in
  bool hinted = false;
  bool is_auto = false;          // hints by the topology annotations: upstream's events apply
  std::optional<HintNews> news;  // only when is_auto
  double local_share = 0;        // of all traffic
  double cross_share = 0;
  double cost = 0;  // of a unit of traffic, by the prices of the plan
  std::vector<ZoneFigures> zones;
  std::vector<FailingZone> failing;
  std::string split;  // what is published as proxima.io/zone-split; "" for none
};

struct ServiceDecision {
  bool accepted = true;
  // Of the reason why what the Service asks for does not count: refused, or switched off by a
  // feature gate. "" where it counts, or asks for nothing.
  std::string not_accepted;
  bool depends_on_nodes = false;         // another set of nodes may decide otherwise
  std::string client_workload;           // see SlicePlanner::client_workload
  std::vector<FamilyDecision> families;  // in the order of the drafts
  std::optional<WallTime> ends;          // when time alone makes it another: a failover budget ends
  std::vector<plan::ServiceCondition> conditions;
};

// One thread at a time. `options` borrows as it always does.
class SlicePlanner {
 public:
  explicit SlicePlanner(plan::PlanOptions options);
  ~SlicePlanner();
  SlicePlanner(const SlicePlanner&) = delete;
  SlicePlanner& operator=(const SlicePlanner&) = delete;

  // Whether anything that decisions are made of has changed. If so, the next decision costs what
  // the nodes cost.
  bool set_nodes(const kube::CacheSnapshot<kube::NodeRecord>& nodes);

  // `ns` null: there is no such Namespace object (yet). `clients`: ready Pods of the workload that
  // demand follows, see client_workload(). Drafts: one a family, as pack_family() made them. `now`
  // as in plan::PlanOptions. A breakdown (base/guarded.h) leaves the planner usable, and the drafts
  // in no known state.
  ServiceDecision decide(const kube::ServiceRecord& service, const kube::NamespaceRecord* ns,
                         const kube::CacheSnapshot<kube::PodRecord>& pods,
                         std::span<const Ref<const kube::PodRecord>> clients,
                         std::span<FamilyDraft> drafts, std::optional<WallTime> now = {});

  // The workload, "NAMESPACE/Kind/name", whose Pods are the Service's demand; "" when CPU, nodes or
  // measurements are. The namespace is the Service's own unless said, the kind Deployment.
  std::string client_workload(const kube::ServiceRecord& service,
                              const kube::NamespaceRecord* ns) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::slices
