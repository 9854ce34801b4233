// SPDX-License-Identifier: Apache-2.0
// Fills the plan of one service and address family: one function a policy, working memory reused
// from service to service so that nothing is allocated per endpoint.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/plan/cluster_plan.h"
#include "core/plan/ready_endpoints.h"
#include "core/policy/auto_hints.h"
#include "core/policy/balanced.h"
#include "core/policy/balanced_hints.h"
#include "core/policy/node_first.h"
#include "core/policy/require_zone.h"
#include "core/policy/zone_aware.h"
#include "core/route/slice_routing.h"

namespace proxima::plan {

// What is published for a family and decides about what follows: whether there are hints, for the
// threshold of `auto`, and which zones use others since when, for `require-zone`. None: the slices
// of the plan are what is published, so they tell.
struct FamilyNow {
  std::optional<bool> hinted;
  std::optional<std::vector<route::FailingZone>> failing;
};
struct PublishedNow {
  FamilyNow v4;
  FamilyNow v6;
  const FamilyNow& of(IpFamily family) const { return family == IpFamily::V4 ? v4 : v6; }
  FamilyNow& of(IpFamily family) { return family == IpFamily::V4 ? v4 : v6; }
};

// The families of a service, as far as is known without planning: slices, endpoints and how many of
// them are ready. One without slices when the service has none.
std::vector<ServicePlan> unplanned_families(const model::Snapshot& snapshot,
                                            model::ServiceIndex index);

class ServicePlanner {
 public:
  // Appends to `plan`, whose snapshot, options, places and prices are set.
  explicit ServicePlanner(ClusterPlan& plan);

  // Every family of the service; one plan without endpoints when it has no slices.
  void plan(model::ServiceIndex index, const PublishedNow& published = {});
  // Takes the services out of the plan. What is known of the nodes stays.
  void forget_services();

  const policy::CpuRatios& ratios(policy::MissingNodeData missing);

 private:
  void plan_family(const policy::ResolvedSettings& resolved, ServicePlan& service);
  void plan_policy(const policy::Settings& settings, ServicePlan& service);
  void plan_auto(const policy::Settings& settings, ServicePlan& service);
  policy::AutoDecision allot_by_cpu(const policy::Settings& settings, const ServicePlan& service);
  policy::BalancedHints hint_by_weight(const policy::CpuRatios& cpu, double bound);
  policy::AutoDecision allot_by_weight(const policy::Settings& settings,
                                       const ServicePlan& service);
  double published_overload(const ServicePlan& service, const policy::CpuRatios& cpu);
  policy::AutoDecision kept_as_published(policy::AutoDecision decision, double overload);
  void tell_zone_without_endpoints(model::ZoneIndex zone, ServicePlan& service) const;
  void plan_prefer_same(const policy::Settings& settings, ServicePlan& service);
  void plan_topology_keys(const policy::Settings& settings, ServicePlan& service);
  void plan_zone_aware(const policy::Settings& settings, ServicePlan& service);
  void plan_balanced(ServicePlan& service);
  void plan_require_zone(const policy::Settings& settings, ServicePlan& service);
  policy::RequiredZone plan_required_zone(const policy::RequireZoneInput& input, std::size_t zone,
                                          const route::FailingZone* known, ServicePlan& service);
  policy::Note crossing_of(const ServicePlan& service) const;
  void share_failover_hints(ServicePlan& service);
  void tell_required_zones(const policy::RequireZoneInput& input, ServicePlan& service);
  // Nobody is ready anywhere: budgets are neither begun nor renewed.
  void keep_failing(ServicePlan& service);
  std::vector<route::FailingZone> failing_now(const ServicePlan& service) const;
  policy::BalancedOutcome split_over_places(ServicePlan& service);
  policy::BalancedOutcome split_nodes_first(ServicePlan& service);
  void note_places(const ServicePlan& service);
  // The nearest whole-endpoint allotment, for proxies that know hints only.
  void hint_split(ServicePlan& service);
  // Of ready_, as far as a hint for one zone is all that is published; empty when nothing is.
  void collect_published(const ServicePlan& service);
  void keep_published_hints(const ServicePlan& service);
  void hint_own_places(ServicePlan& service, bool zones, bool nodes);
  // Endpoints in `from` are hinted to `zone` as well; false: to no more zones.
  bool share_hints(model::ZoneIndex zone, const std::vector<model::ZoneIndex>& from);
  bool falls_back_to_region(const policy::Settings& settings, model::ZoneIndex zone,
                            ServicePlan& service);
  void write_shared_hints(ServicePlan& service);
  void note_traffic_policies(const model::Service& service);

  std::span<const model::Endpoint> endpoints_of(const ServicePlan& service) const;
  void count_ready(ServicePlan& service);
  std::span<double> new_split(ServicePlan& service);
  void drop_split(ServicePlan& service);
  std::uint32_t demand_index(const policy::DemandSetting& setting, const model::Service& service);
  bool is_hinted_now(const ServicePlan& service) const;
  void note(const policy::Note& note) { plan_.notes.push_back(note); }

  ClusterPlan& plan_;
  const model::Snapshot& snapshot_;
  PublishedNow now_;
  std::map<std::pair<policy::DemandSource, std::string>, std::uint32_t> demand_by_setting_;
  std::map<policy::MissingNodeData, policy::CpuRatios> ratios_;

  policy::AutoWorkspace auto_work_;
  policy::BalancedWorkspace balanced_work_;
  policy::BalancedHintsWorkspace balanced_hints_work_;
  policy::PublishedHintsWorkspace published_work_;
  policy::NodeFirstWorkspace node_first_work_;
  ReadyEndpoints ready_;
  std::vector<std::uint16_t> hinted_place_;  // by ready endpoint
  std::vector<std::uint16_t> published_;     // by ready endpoint, see policy::PublishedHints
  std::vector<std::uint32_t> regions_;       // by zone; the last number for zones without one
  std::vector<std::uint16_t> node_place_;    // by node; filled when first asked for
  std::vector<policy::HintSlice> hint_slices_;
  std::vector<model::ZoneIndex> hint_of_;
  std::vector<unsigned char> written_;
  std::vector<std::uint32_t> ready_in_;  // by place
  std::vector<double> hinted_in_;        // by zone: weight
  std::vector<double> weight_in_;        // by place, of ready endpoints
  std::vector<unsigned char> may_stay_;
  std::vector<policy::ZoneAwarePlace> zone_aware_places_;
  std::vector<policy::RequiredZone> zone_states_;  // by zone
  // By zone: whom its endpoints are hinted to besides.
  std::vector<std::vector<std::uint32_t>> shared_with_;
};

}  // namespace proxima::plan
