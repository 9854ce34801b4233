// SPDX-License-Identifier: Apache-2.0
#include "simulation/sender_view.h"

#include <algorithm>

#include "core/audit/plan_audit.h"
#include "core/model/snapshot_builder.h"
#include "core/plan/zone_split.h"
#include "kube/record_draft.h"
#include "simulation/cluster_objects.h"
#include "simulation/cluster_world.h"
#include "simulation/replica.h"
#include "slices/pack_family.h"
#include "slices/slice_planner.h"

namespace proxima::simulation {
namespace {

// From what a worker has read to the last write that it decides on it: slices of two families, and
// half a minute for a request that is never answered.
constexpr Time kOldestDecision = std::chrono::seconds(150);

bool is_near(const std::string& published, const route::ZoneSplit& wanted) {
  const auto split = route::parse_zone_split(published);
  return split && !route::has_moved(*split, wanted);
}

bool selects(const kube::ServiceRecord& service, const kube::PodRecord& pod) {
  if (!service.selector || pod.ns != service.meta.ns) return false;
  const auto& wanted = service.selector->all();
  return std::all_of(wanted.begin(), wanted.end(), [&](const kube::LabelText& one) {
    return kube::label(pod.labels, one.key.view()) == one.value;
  });
}

template <class Seen>
plan::ClusterPlan plan_of(const Seen& seen, const kube::ServiceRecord& service,
                          const plan::PlanOptions& options) {
  model::SnapshotBuilder builder;
  seen.nodes.each([&](const auto& node) { builder.add(kube::to_draft(*node, builder.names())); });
  seen.pods.each([&](const auto& pod) { builder.add(kube::to_draft(*pod, builder.names())); });
  if (const auto ns = seen.namespaces.find({{}, service.meta.ns.view()}))
    builder.add(kube::to_draft(*ns, builder.names()));
  builder.add(kube::to_draft(service, builder.names()));
  return plan::plan_cluster(builder.build(model::MissingSlices::Derive), options);
}

bool has_split(const plan::ClusterPlan& plan, IpFamily family, const std::string& published) {
  return std::any_of(plan.services.begin(), plan.services.end(), [&](const auto& service) {
    return service.family == family && is_near(published, plan::zone_split(plan, service));
  });
}

// As the controller works it out, with nodes that may be older than the rest.
template <class Seen, class Nodes>
std::string split_of(const Seen& seen, const Nodes& planned, const kube::ServiceRecord& service,
                     kube::AddressType family, const plan::PlanOptions& options) {
  std::vector<slices::PodRef> pods;
  seen.pods.each([&](const auto& pod) {
    if (selects(service, *pod)) pods.push_back(pod);
  });
  std::vector<slices::FamilyDraft> drafts;
  for (const kube::AddressType one : slices::address_families(service))
    drafts.push_back(slices::pack_family({.service = service,
                                          .family = one,
                                          .pods = pods,
                                          .nodes = seen.nodes,
                                          .slices = {},
                                          .max_endpoints_per_slice = Replica::kEndpointsPerSlice}));
  slices::SlicePlanner planner(options);
  planner.set_nodes(planned);
  const auto ns = seen.namespaces.find({{}, service.meta.ns.view()});
  const auto decision = planner.decide(service, ns.get(), seen.pods, {}, drafts);
  for (const slices::FamilyDecision& one : decision.families)
    if (one.family == family) return one.split;
  return {};
}

}  // namespace

SenderView::SenderView(controller::ClusterCaches& caches, const Scheduler& scheduler,
                       plan::PlanOptions options)
    : caches_(caches), scheduler_(scheduler), options_(std::move(options)) {
  change(Begun::ByNodes);
  caches_.nodes.subscribe([this](const auto&) { change(Begun::ByNodes); });
  caches_.pods.subscribe([this](const auto&) { change(Begun::ByOthers); });
  caches_.services.subscribe([this](const auto&) { change(Begun::ByOthers); });
  caches_.namespaces.subscribe([this](const auto&) { change(Begun::ByOthers); });
}

void SenderView::change(Begun begun) {
  const Time now = scheduler_.now();
  if (!seen_.empty()) seen_.front().until = now;
  seen_.push_front({begun, kNever, caches_.pods.snapshot(), caches_.services.snapshot(),
                    caches_.nodes.snapshot(), caches_.namespaces.snapshot()});
  while (seen_.back().until < now - kOldestDecision) seen_.pop_back();
}

std::vector<SenderView::Nodes> SenderView::nodes_seen() const {
  std::vector<Nodes> nodes;
  for (std::size_t i = 0; i < seen_.size(); ++i)
    if (i == 0 || seen_[i - 1].begun == Begun::ByNodes) nodes.push_back(seen_[i].nodes);
  return nodes;
}

bool SenderView::was_split_of_some_view(const kube::ObjectKey& key, kube::AddressType family,
                                        const std::string& published) const {
  const std::vector<Nodes> all_nodes = nodes_seen();
  return std::any_of(seen_.begin(), seen_.end(), [&](const Seen& seen) {
    const kube::ServiceRecord* const service = seen.services.peek(key);
    if (service == nullptr) return false;
    return std::any_of(all_nodes.begin(), all_nodes.end(), [&](const Nodes& nodes) {
      const auto wanted =
          route::parse_zone_split(split_of(seen, nodes, *service, family, options_));
      return wanted && is_near(published, *wanted);
    });
  });
}

bool SenderView::never_prefers_zones(const json::object& slice) const {
  const std::string ns = metadata_text(slice, "namespace");
  const std::string name = label(slice, kServiceName);
  return std::all_of(seen_.begin(), seen_.end(), [&](const Seen& seen) {
    const kube::ServiceRecord* const service = seen.services.peek({ns, name});
    return service == nullptr || service->traffic_distribution.view().empty();
  });
}

SenderView::Checked SenderView::check(const json::object& slice) {
  const std::string ns = metadata_text(slice, "namespace");
  const std::string name = label(slice, kServiceName);
  const kube::ObjectKey key{ns, name};
  const Seen& newest = seen_.front();
  const kube::ServiceRecord* const service = newest.services.peek(key);
  if (service == nullptr || !is_ours(slice)) return {};
  Checked checked{.has_plan = true};
  const plan::ClusterPlan plan = plan_of(newest, *service, options_);
  if (const auto broken = audit::audit_plan(plan); !broken.empty())
    checked.wrong = "the plan of what it sees breaks a promise: " + broken.front();
  const std::string published =
      text_at(section(slice.at("metadata").as_object(), "annotations"), "proxima.io/zone-split");
  if (published.empty() || !checked.wrong.empty()) return checked;
  checked.has_split = true;
  const bool is_v4 = text_at(slice, "addressType") == family_text(IpFamily::V4);
  if (has_split(plan, is_v4 ? IpFamily::V4 : IpFamily::V6, published)) return checked;
  const auto family = is_v4 ? kube::AddressType::IPv4 : kube::AddressType::IPv6;
  if (!was_split_of_some_view(key, family, published))
    checked.wrong = "publishes a split that no view of the last while had: " + published;
  return checked;
}

}  // namespace proxima::simulation
