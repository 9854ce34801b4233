// SPDX-License-Identifier: Apache-2.0
#include "slices/slice_planner.h"

#include <algorithm>

#include "core/model/snapshot_builder.h"
#include "core/plan/published_routing.h"
#include "core/plan/service_frame.h"
#include "core/plan/zone_split.h"
#include "kube/record_draft.h"
#include "slices/family_decision.h"
#include "slices/framed_service.h"
#include "slices/slice_hints.h"
#include "slices/slice_split.h"

namespace proxima::slices {
namespace {

using kube::NodeRecord;
using NodeRef = Ref<const NodeRecord>;
using plan::ClusterPlan;
using plan::ServicePlan;
using policy::PolicyKind;

bool decides_alike(const NodeRecord& a, const NodeRecord& b) {
  return a.meta.name == b.meta.name && a.ready == b.ready && a.cpu == b.cpu &&
         a.traffic == b.traffic && same_labels(a.labels, b.labels);
}

HintRule rule_of(const ServicePlan& service) {
  switch (service.policy) {
    case PolicyKind::PreferSameZone:
    case PolicyKind::PreferSameNode:
    case PolicyKind::RequireZone:
      return HintRule::Own;
    case PolicyKind::ClusterWide:
    case PolicyKind::TopologyKeys:
    case PolicyKind::Auto:
    case PolicyKind::ZoneAware:
    case PolicyKind::Balanced:
      break;
  }
  return service.hinted ? HintRule::Allotted : HintRule::None;
}

// Topology keys do, too, where slices carry labels of nodes.
bool depends_on_nodes(const ClusterPlan& plan, const ServicePlan& service) {
  const PolicyKind policy = service.policy;
  return policy == PolicyKind::Auto || policy == PolicyKind::ZoneAware ||
         policy == PolicyKind::Balanced || service.fallback == policy::Fallback::Region ||
         !plan::PublishedRouting(plan, service).empty();
}

IpFamily family_of(const FamilyDraft& draft) {
  return draft.family == kube::AddressType::IPv4 ? IpFamily::V4 : IpFamily::V6;
}

// A family without any slice has a plan of its own: that there is none.
ServicePlan plan_of(const ClusterPlan& plan, const FamilyDraft& draft) {
  for (const ServicePlan& one : plan.services) {
    if (one.family == family_of(draft)) return one;
  }
  ServicePlan none = plan.services.front();
  none.why = {.reason = policy::Reason::NoEndpointSlices};
  none.hinted = false;
  none.ready = 0;
  none.split = -1;
  none.planned = 0;
  none.slices = none.endpoints = none.planner_notes = none.keys = none.failing = {};
  return none;
}

plan::PublishedNow published_now(std::span<const FamilyDraft> drafts) {
  plan::PublishedNow now;
  for (const FamilyDraft& draft : drafts)
    now.of(family_of(draft)) = {.hinted = is_hinted(draft), .failing = failing_zones(draft)};
  return now;
}

std::optional<WallTime> first_end(const ClusterPlan& plan) {
  std::optional<WallTime> first;
  for (const plan::FailingZone& zone : plan.failing) {
    if (zone.spent || !zone.until) continue;
    first = std::min(first.value_or(*zone.until), *zone.until);
  }
  return first;
}

}  // namespace

struct SlicePlanner::State {
  plan::PlanOptions options;
  std::vector<NodeRef> nodes;  // by name
  // Zones that only endpoints name: a Pod can be seen before the label of its node is.
  std::vector<Text> more_zones;
  // Null: to be built. While a Service is planned it is not here, so that a breakdown takes along
  // what it was in the middle of.
  std::unique_ptr<plan::ServiceFrame> frame;
  std::vector<Text> zones;  // names, by ZoneIndex of the frame

  std::unique_ptr<plan::ServiceFrame> take_frame();
  std::unique_ptr<plan::ServiceFrame> new_frame();
  // With the Service in it.
  std::unique_ptr<plan::ServiceFrame> framed(const ServiceInput& input);
};

std::unique_ptr<plan::ServiceFrame> SlicePlanner::State::take_frame() {
  return frame != nullptr ? std::move(frame) : new_frame();
}

std::unique_ptr<plan::ServiceFrame> SlicePlanner::State::new_frame() {
  model::SnapshotBuilder builder;
  for (const NodeRef& node : nodes) builder.add(kube::to_draft(*node, builder.names()));
  for (const Text& zone : more_zones) builder.add_zone(builder.names().intern(zone.view()));
  auto made =
      std::make_unique<plan::ServiceFrame>(builder.take(model::MissingSlices::LeaveEmpty), options);
  zones.clear();
  const model::Snapshot& world = made->snapshot();
  for (const model::ZoneInfo& zone : world.zones) zones.emplace_back(world.names[zone.name]);
  return made;
}

std::unique_ptr<plan::ServiceFrame> SlicePlanner::State::framed(const ServiceInput& input) {
  auto made = take_frame();
  const std::vector<Text> unknown = put_into_frame(input, *made);
  // More zones than a cluster can have stay unknown, however often they are asked for.
  if (unknown.empty() || zones.size() >= model::kMaxZones) return made;
  more_zones.insert(more_zones.end(), unknown.begin(), unknown.end());
  made = new_frame();
  put_into_frame(input, *made);
  return made;
}

SlicePlanner::SlicePlanner(plan::PlanOptions options) : state_(std::make_unique<State>()) {
  state_->options = std::move(options);
}

SlicePlanner::~SlicePlanner() = default;

bool SlicePlanner::set_nodes(const kube::CacheSnapshot<NodeRecord>& nodes) {
  std::vector<NodeRef> all;
  all.reserve(nodes.size());
  nodes.each([&](const NodeRef& node) { all.push_back(node); });
  const bool same = std::equal(
      all.begin(), all.end(), state_->nodes.begin(), state_->nodes.end(),
      [](const NodeRef& a, const NodeRef& b) { return a == b || decides_alike(*a, *b); });
  state_->nodes = std::move(all);
  if (same) return false;
  state_->more_zones.clear();
  state_->frame.reset();
  return true;
}

ServiceDecision SlicePlanner::decide(const kube::ServiceRecord& service,
                                     const kube::NamespaceRecord* ns,
                                     const kube::CacheSnapshot<kube::PodRecord>& pods,
                                     std::span<const Ref<const kube::PodRecord>> clients,
                                     std::span<FamilyDraft> drafts, std::optional<WallTime> now) {
  auto frame = state_->framed({service, ns, pods, clients, drafts});
  const ClusterPlan& plan = frame->plan(published_now(drafts), now);
  ServiceDecision decision;
  decision.accepted = plan.services.front().accepted;
  if (const policy::Note* why = plan::not_accepted(plan, plan.services.front()))
    decision.not_accepted = policy::text_of(why->reason).code;
  decision.depends_on_nodes = depends_on_nodes(plan, plan.services.front());
  decision.client_workload = client_workload(service, ns);
  decision.conditions = describe_conditions(plan);
  decision.ends = first_end(plan);
  for (FamilyDraft& draft : drafts) {
    const ServicePlan planned = plan_of(plan, draft);
    decision.families.push_back(describe_family(plan, planned, frame->cpu_ratios()));
    decision.families.back().family = draft.family;
    const auto hints =
        std::span(plan.hints).subspan(planned.endpoints.begin, planned.endpoints.size);
    const bool own_nodes = planned.policy == PolicyKind::PreferSameNode &&
                           state_->options.defaults.gates.prefer_same_traffic_distribution;
    const plan::PublishedRouting routing(plan, planned);
    HintOrder order{rule_of(planned), hints, plan.shared_zones, state_->zones, own_nodes, nullptr};
    if (!routing.empty()) {
      order.routing = [&](std::size_t first, std::size_t count) {
        return routing.of(first, count);
      };
    }
    write_hints(order, draft);
    decision.families.back().split = write_split(plan::zone_split(plan, planned), draft);
  }
  state_->frame = std::move(frame);
  return decision;
}

std::string SlicePlanner::client_workload(const kube::ServiceRecord& service,
                                          const kube::NamespaceRecord* ns) const {
  policy::DemandSetting demand = state_->options.defaults.demand;
  const Text texts[] = {ns != nullptr ? label(ns->annotations, model::kDemandAnnotation) : Text(),
                        label(service.annotations, model::kDemandAnnotation)};
  for (const Text& text : texts) {
    const auto said = policy::parse_demand(text.view());
    if (said) demand = *said;
  }
  if (demand.source != policy::DemandSource::Clients) return {};
  return policy::client_workload(demand.clients, service.meta.ns.view());
}

}  // namespace proxima::slices
