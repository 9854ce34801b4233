// SPDX-License-Identifier: Apache-2.0
#include "published_world.h"

#include <algorithm>

#include "core/model/snapshot_builder.h"
#include "kube/cache.h"
#include "kube/record_draft.h"
#include "proxy/node_routes.h"
#include "proxy/slot_assignment.h"
#include "slices/pack_family.h"
#include "slices/slice_planner.h"

namespace proxima::truth {
namespace {

plan::PlanOptions options_of(const World& world) {
  plan::PlanOptions options;
  options.defaults.gates = world.gates;
  options.defaults.auto_options.enabled = world.gates.topology_aware_hints;
  return options;
}

Answer answer_of(const proxy::Backends& backends, const proxy::RouteReason& why) {
  Answer answer;
  double total = 0;
  for (const proxy::Backend& one : backends) total += one.weight;
  for (const proxy::Backend& one : backends)
    answer.shares[one.at.address.text()] += one.weight / total;
  answer.why = policy::sentence(why.note());
  return answer;
}

}  // namespace

PublishedWorld::PublishedWorld(const World& world, Moment moment)
    : world_(world),
      pods_(moment == Moment::Settled ? world.pods : world.pods_later),
      options_(options_of(world)),
      slices_(world.foreign) {
  const WallTime begin{std::chrono::hours(490'000)};
  const WallTime later = begin + world.later;
  publish(world.pods, begin, nullptr);
  if (moment == Moment::Settled && later > begin) publish(world.pods, later, nullptr);
  Dice skips(world.seed);
  if (moment == Moment::HalfWritten) publish(world.pods_later, later, &skips);
  options_.now = later;
  model::SnapshotBuilder builder;
  for (const auto& node : world.nodes) builder.add(kube::to_draft(*node, builder.names()));
  for (const auto& pod : pods_) builder.add(kube::to_draft(*pod, builder.names()));
  builder.add(kube::to_draft(*world.ns, builder.names()));
  builder.add(kube::to_draft(*world.service, builder.names()));
  for (const SliceRef& slice : slices_) {
    if (const auto draft = kube::to_draft(*slice, builder.names())) builder.add(*draft);
  }
  snapshot_ = builder.build(model::MissingSlices::LeaveEmpty);
  plan_ = plan::plan_service(snapshot_, options_, model::ServiceIndex(0));
}

void PublishedWorld::publish(const Pods& there, WallTime now, Dice* skips) {
  if (!world_.service->selector) return;
  kube::Cache<kube::NodeRecord> nodes;
  kube::Cache<kube::PodRecord> pods;
  nodes.replace(world_.nodes);
  pods.replace(there);
  slices::SlicePlanner planner(options_);
  planner.set_nodes(nodes.snapshot());
  std::vector<slices::FamilyDraft> drafts;
  for (const kube::AddressType family : slices::address_families(*world_.service)) {
    std::vector<SliceRef> ours;
    std::copy_if(slices_.begin(), slices_.end(), std::back_inserter(ours),
                 [&](const SliceRef& one) {
                   return one->address_type == family &&
                          std::find(world_.foreign.begin(), world_.foreign.end(), one) ==
                              world_.foreign.end();
                 });
    drafts.push_back(slices::pack_family({.service = *world_.service,
                                          .family = family,
                                          .pods = there,
                                          .nodes = nodes.snapshot(),
                                          .slices = ours,
                                          .max_endpoints_per_slice = world_.slice_size}));
  }
  planner.decide(*world_.service, world_.ns.get(), pods.snapshot(), {}, drafts, now);
  for (const slices::FamilyDraft& draft : drafts) write(draft, skips);
}

void PublishedWorld::write(const slices::FamilyDraft& draft, Dice* skips) {
  const auto is_skipped = [&] { return skips != nullptr && skips->one_in(2); };
  const auto put = [&](kube::EndpointSliceRecord value) {
    value.meta.version = ++version_;
    if (!value.meta.name.has_value()) value.meta.name = Text("web-" + std::to_string(version_));
    std::erase_if(slices_, [&](const SliceRef& one) { return one->meta.name == value.meta.name; });
    slices_.push_back(make_ref<kube::EndpointSliceRecord>(std::move(value)));
  };
  for (const slices::SliceDraft& made : draft.creates)
    if (!is_skipped()) put(made.value);
  for (const slices::SliceDraft& made : draft.updates)
    if (!is_skipped()) put(made.value);
  for (const SliceRef& gone : draft.deletes)
    if (!is_skipped()) std::erase(slices_, gone);
}

std::string PublishedWorld::annotations() const {
  std::string out;
  for (const SliceRef& slice : slices_) {
    out += "\n" + std::string(slice->meta.name.view());
    if (!slice->annotations) continue;
    for (const kube::LabelText& one : slice->annotations->all())
      out += " " + std::string(one.key.view()) + "=" + std::string(one.value.view());
  }
  return out;
}

std::vector<IpFamily> PublishedWorld::families() const { return world_.service->ip_families; }

Answer PublishedWorld::explained(std::size_t node, IpFamily family,
                                 plan::RouteSource source) const {
  Answer answer;
  for (const plan::ServicePlan& service : plan_.services) {
    if (service.family != family) continue;
    const auto shares = plan::shares_from_node(
        plan_, service, snapshot_->find_node(world_.nodes[node]->meta.name.view()), source);
    const auto endpoints = model::Snapshot::part(snapshot_->endpoints, service.endpoints);
    for (std::size_t e = 0; e < shares.share.size(); ++e) {
      if (shares.share[e] > 0) answer.shares[endpoints[e].address.text()] += shares.share[e];
    }
    if (!shares.notes.empty()) answer.why = policy::sentence(shares.notes.front());
  }
  return answer;
}

proxy::RouteTable PublishedWorld::routes(std::size_t node, IpFamily family) const {
  proxy::RoutingRules rules;
  rules.family = family;
  proxy::NodeRoutesOptions options{.proxy_name = "", .rules = {rules}};
  options.wishes.defaults.gates = world_.gates;
  proxy::NodeRoutes routes(std::move(options));
  routes.set_node(proxy::node_view(*world_.nodes[node]));
  routes.change_service({}, world_.service);
  for (const SliceRef& slice : slices_) routes.change_slice({}, slice);
  routes.update();
  return *routes.table(family);
}

namespace {

proxy::PortRoutesRef only_port(const proxy::RouteTable& routes) {
  const auto ports = routes.ports_of(Text("shop"), Text("web"));
  return ports.empty() ? proxy::PortRoutesRef() : ports.front();
}

const proxy::Backends& internal_backends(const proxy::PortRoutes& routes) {
  return routes.port.internal_policy_local ? routes.local : routes.cluster;
}

}  // namespace

Answer PublishedWorld::routed(const proxy::RouteTable& routes) {
  const auto port = only_port(routes);
  return port ? answer_of(internal_backends(*port), port->why) : Answer();
}

Answer PublishedWorld::in_slots(const proxy::RouteTable& routes) {
  Answer answer;
  const auto port = only_port(routes);
  if (!port) return answer;
  const auto assigned = proxy::assign_slots({.backends = internal_backends(*port)});
  for (const proxy::BackendAddress& slot : assigned.slots)
    answer.shares[slot.address.text()] += 1.0 / static_cast<double>(assigned.slots.size());
  return answer;
}

}  // namespace proxima::truth
