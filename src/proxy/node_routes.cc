// SPDX-License-Identifier: Apache-2.0
#include "proxy/node_routes.h"

#include <algorithm>

#include "base/guarded.h"
#include "base/sorted_lists.h"
#include "proxy/watch_selection.h"

namespace proxima::proxy {
namespace {

void put_slice(std::vector<SliceRef>& slices, const SliceRef& slice) {
  const auto at = std::lower_bound(
      slices.begin(), slices.end(), slice,
      [](const SliceRef& a, const SliceRef& b) { return a->meta.name < b->meta.name; });
  if (at != slices.end() && (*at)->meta.name == slice->meta.name) {
    *at = slice;
  } else {
    slices.insert(at, slice);
  }
}

void remove_slice(std::vector<SliceRef>& slices, const Text& name) {
  std::erase_if(slices, [&](const SliceRef& slice) { return slice->meta.name == name; });
}

}  // namespace

NodeRoutes::NodeRoutes(NodeRoutesOptions options) : options_(std::move(options)) {
  for (const RoutingRules& rules : options_.rules) tables_.emplace_back().rules = rules;
}

void NodeRoutes::plan_all() {
  for (const auto& [name, state] : services_) pending_.insert(name);
}

void NodeRoutes::plan_external_ips() {
  for (const auto& [name, state] : services_) {
    if (state.service && state.service->has_external_ips) pending_.insert(name);
  }
}

void NodeRoutes::set_node(NodeView node) {
  if (!same_topology(node, node_)) plan_all();
  node_ = std::move(node);
}

void NodeRoutes::set_rules(RoutingRules rules) {
  for (RoutingRules& known : options_.rules) {
    if (known.family != rules.family || known == rules) continue;
    const bool all = !same_but_own_addresses(known, rules);
    known = std::move(rules);
    rules_changed_ = rules_changed_ || all;
    all ? plan_all() : plan_external_ips();
    return;
  }
}

void NodeRoutes::forget_if_empty(const Name& name) {
  const auto found = services_.find(name);
  if (found != services_.end() && !found->second.service && found->second.slices.empty())
    services_.erase(found);
}

void NodeRoutes::change_service(const ServiceRef& before, const ServiceRef& after) {
  if (!before && !after) return;
  const kube::RecordMeta& meta = after ? after->meta : before->meta;
  const Name name(meta.ns, meta.name);
  State& state = services_[name];
  const bool routed = after && is_routed(*after, options_.proxy_name);
  state.service = routed ? after : ServiceRef();
  state.wish = routed ? routing_wish(*after, options_.wishes) : RoutingWish();
  pending_.insert(name);
  forget_if_empty(name);
}

void NodeRoutes::change_slice(const SliceRef& before, const SliceRef& after) {
  const bool counted = before && !before->service.view().empty();
  const bool counts = after && is_routed(*after);
  if (counted) {
    const Name name(before->meta.ns, before->service);
    const bool stays = counts && after->service == before->service;
    const auto found = services_.find(name);
    if (!stays && found != services_.end()) {
      remove_slice(found->second.slices, before->meta.name);
      pending_.insert(name);
      forget_if_empty(name);
    }
  }
  if (counts) {
    const Name name(after->meta.ns, after->service);
    put_slice(services_[name].slices, after);
    pending_.insert(name);
  }
}

std::vector<PortRoutesRef> NodeRoutes::planned(const Name& name, const RoutingRules& rules) const {
  const auto found = services_.find(name);
  if (found == services_.end() || !found->second.service) return {};
  const State& state = found->second;
  return options_.plan({.service = *state.service,
                        .slices = state.slices,
                        .node = node_,
                        .rules = rules,
                        .wish = state.wish,
                        .options = options_.ports});
}

// What is equal stays the same value.
NodeRoutes::Replacement NodeRoutes::plan(const Name& name, const RouteTable& table) const {
  Replacement made;
  made.gone = table.ports_of(name.first, name.second);
  made.added = planned(name, table.rules);
  const auto less = [](const PortRoutesRef& a, const PortRoutesRef& b) {
    return ByPort::less(*a, *b);
  };
  const auto equal = [](const PortRoutesRef& a, const PortRoutesRef& b) { return *a == *b; };
  if (!rules_changed_) drop_equal(made.gone, made.added, less, equal);
  const auto add = [&](const PortRoutesRef& routes, std::vector<FrontendRouteRef>& to) {
    const auto frontends = plan_frontends(*routes, table.rules);
    to.insert(to.end(), frontends.begin(), frontends.end());
  };
  for (const PortRoutesRef& routes : made.gone) add(routes, made.gone_frontends);
  for (const PortRoutesRef& routes : made.added) add(routes, made.added_frontends);
  return made;
}

void NodeRoutes::replace(RouteTable& table, const Replacement& made) {
  for (const FrontendRouteRef& route : made.gone_frontends) table.frontends.erase(claim_of(*route));
  for (const PortRoutesRef& routes : made.gone) table.ports.erase(routes->port.key);
  for (const FrontendRouteRef& route : made.added_frontends) table.frontends.put(route);
  for (const PortRoutesRef& routes : made.added) table.ports.put(routes);
}

void NodeRoutes::Touched::add(const Replacement& made) {
  for (const auto* some : {&made.gone_frontends, &made.added_frontends})
    for (const FrontendRouteRef& route : *some) frontends.push_back(route->at);
  for (const auto* some : {&made.gone, &made.added})
    for (const PortRoutesRef& routes : *some) ports.push_back(routes->port.key);
}

Text NodeRoutes::uid_of(const ServiceName& name) const {
  const auto state = services_.find(name);
  const bool is_there = state != services_.end() && state->second.service;
  return is_there ? state->second.service->meta.uid : Text();
}

void NodeRoutes::note_failures(const std::map<Name, std::string>& failed) {
  new_failures_.clear();
  for (const Name& name : pending_) {
    const auto found = failed.find(name);
    if (found == failed.end()) {
      failures_.erase(name);
      continue;
    }
    std::string& known = failures_[name];
    if (known != found->second)
      new_failures_.push_back({name.first, name.second, uid_of(name), found->second});
    known = found->second;
  }
}

std::vector<FamilyChanges> NodeRoutes::update() {
  std::vector<FamilyChanges> all;
  std::map<Name, std::string> failed;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const RouteTable before = tables_[i];
    tables_[i].rules = options_.rules[i];
    Touched touched;
    for (const Name& name : pending_) {
      Replacement made;
      const auto breakdown = run_guarded([&] { made = plan(name, tables_[i]); });
      if (breakdown) {
        failed[name] = breakdown->what;
        continue;
      }
      touched.add(made);
      replace(tables_[i], made);
    }
    all.push_back({before.rules.family, diff_routes_at(before, tables_[i], std::move(touched.ports),
                                                       std::move(touched.frontends))});
  }
  note_failures(failed);
  pending_.clear();
  rules_changed_ = false;
  return all;
}

const RouteTable* NodeRoutes::table(IpFamily family) const {
  for (const RouteTable& table : tables_) {
    if (table.rules.family == family) return &table;
  }
  return nullptr;
}

}  // namespace proxima::proxy
