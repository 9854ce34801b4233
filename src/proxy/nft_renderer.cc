// SPDX-License-Identifier: Apache-2.0
#include "proxy/nft_renderer.h"

#include <algorithm>

#include "proxy/nft_chains.h"
#include "proxy/plan_routes.h"

namespace proxima::proxy {
namespace {

using dataplane::NftBytes;
using dataplane::NftChain;
using dataplane::NftElement;
using dataplane::NftSet;
using dataplane::NftTransaction;
using dataplane::NftVerdict;

// Lists that nothing leads to are not written; so all that is written can be found again from the
// frontends, also by a process that comes later.
NftUse use_of(const PortRoutes& routes, const RouteTable& table) {
  NftUse use;
  for (const FrontendRouteRef& claim : plan_frontends(routes, table.rules)) {
    const FrontendRouteRef route = table.in_force(claim->at);
    if (!route || !(route->port == routes.port.key)) continue;
    for (const Handling& handling : route->by_source) {
      use.cluster |= handling.action == Action::Cluster && !routes.cluster.empty();
      use.local |= handling.action == Action::Local && !routes.local.empty();
    }
  }
  return use;
}

// What a table tells of a port lacks what is said of its clients.
NftPort as_kept(NftPort port, const PortRoutes& routes) {
  port.affinity_seconds = routes.port.affinity_seconds;
  port.remembers_fewer_clients = routes.port.remembers_fewer_clients;
  return port;
}

// Whether frontends of a port are written differently though they are the same themselves.
bool concerns_frontends(const PortChange& change, const NftPort* before, const NftPort* after) {
  if ((before == nullptr) != (after == nullptr)) return true;
  if (before != nullptr &&
      (before->value(false) != after->value(false) || before->value(true) != after->value(true)))
    return true;
  return !change.before || !change.after ||
         change.before->allowed_sources != change.after->allowed_sources;
}

}  // namespace

// One transaction in the making.
struct NftRenderer::Step {
  NftChanges changes;
  // As they were, where they are not as they were. None: they were not written.
  std::map<ServicePortKey, std::optional<NftPort>> old_ports;
  std::set<Frontend> frontends;  // to be looked at again
  std::map<NftBytes, std::uint32_t> old_hairpins;
  std::vector<std::uint32_t> free_ids;  // when the transaction is through
};

NftRenderer::NftRenderer(IpFamily family, NftOptions options, PlanNftPort plan)
    : family_(family),
      options_(std::move(options)),
      plan_port_(std::move(plan)),
      ids_(options_.port_ids) {
  PROXIMA_CHECK(options_.port_ids <= 1U << (32 - kPortShift));
  table_.rules.family = family;
}

const NftPort* NftRenderer::port(const ServicePortKey& key) const {
  const auto found = ports_.find(key);
  return found == ports_.end() ? nullptr : &found->second;
}

std::vector<NftSetElement> NftRenderer::elements_of(const FrontendRoute& route,
                                                    const RouteTable& table,
                                                    const NftPort* port) const {
  const PortRoutes* routes = table.ports.find(route.port);
  PROXIMA_CHECK(routes != nullptr);
  return nft_frontend_elements(
      {.family = family_, .route = route, .routes = *routes, .port = port});
}

// ---- Chains with a number ----

NftChain NftRenderer::numbered_chain(std::string_view set, std::uint32_t number) const {
  if (set == nft_set::kSizes) return nft_pick_chain(family_, number);
  return nft_sticky_pick_chain(family_, number);
}

NftElement NftRenderer::size_element(std::string_view set, std::uint32_t slots) const {
  return {.key = nft_number(size_code_of(slots)),
          .key_end = {},
          .value =
              NftVerdict{.kind = NftVerdict::Kind::Goto, .chain = numbered_chain(set, slots).name}};
}

void NftRenderer::need(std::set<std::uint32_t>& known, std::uint32_t number, std::string_view set,
                       NftChanges* changes) {
  if (number == 0 || !known.insert(number).second || changes == nullptr) return;
  changes->add_chain(numbered_chain(set, number));
  changes->has(set, size_element(set, number));
}

void NftRenderer::need_chains(const NftPort& port, NftChanges* changes) {
  for (const NftPool* pool : {&port.cluster, &port.local}) {
    const auto slots = static_cast<std::uint32_t>(pool->assignment.slots.size());
    if (port.sticky())
      need(numbers_.sticky_sizes, slots, nft_set::kStickySizes, changes);
    else
      need(numbers_.sizes, slots, nft_set::kSizes, changes);
  }
}

std::vector<NftChain> NftRenderer::chains() const {
  std::vector<NftChain> chains = nft_fixed_chains(table_.rules, options_);
  for (const std::uint32_t number : numbers_.sizes)
    chains.push_back(numbered_chain(nft_set::kSizes, number));
  for (const std::uint32_t number : numbers_.sticky_sizes)
    chains.push_back(numbered_chain(nft_set::kStickySizes, number));
  for (const auto& [key, port] : ports_) {
    for (const bool of_local : {false, true}) {
      auto affinity = affinity_of(&port, of_local);
      if (!affinity) continue;
      chains.push_back(std::move(affinity->recall));
      chains.push_back(std::move(affinity->learn));
    }
  }
  std::sort(chains.begin(), chains.end(),
            [](const NftChain& a, const NftChain& b) { return a.name < b.name; });
  return chains;
}

std::vector<NftSet> NftRenderer::sets() const {
  std::vector<NftSet> sets = nft_sets();
  for (const auto& [key, port] : ports_) {
    for (const bool of_local : {false, true}) {
      if (auto affinity = affinity_of(&port, of_local))
        sets.push_back(std::move(affinity->clients));
    }
  }
  std::sort(sets.begin(), sets.end(),
            [](const NftSet& a, const NftSet& b) { return a.name < b.name; });
  return sets;
}

// ---- Whether it can be done ----

void NftRenderer::rehearse(const PortRoutes& routes, const RouteTable& table,
                           const NftPort* previous) const {
  const NftUse use = use_of(routes, table);
  const std::uint32_t id = previous == nullptr ? 1 : previous->id;
  if (use.cluster || use.local)
    rehearse_kept(routes, table,
                  plan_port_({.routes = routes, .use = use, .previous = previous, .id = id}));
  else
    rehearse_kept(routes, table, {});
}

void NftRenderer::rehearse_kept(const PortRoutes& routes, const RouteTable& table,
                                const NftPort& kept) const {
  const NftPort port = as_kept(kept, routes);
  nft_port_elements(port, [](std::string_view, const NftElement&) {});
  for (const bool of_local : {false, true}) affinity_of(&port, of_local);
  nft_hairpins(routes);
  for (const FrontendRouteRef& claim : plan_frontends(routes, table.rules)) {
    const FrontendRouteRef route = table.in_force(claim->at);
    if (route && route->port == routes.port.key) elements_of(*route, table, &port);
  }
}

// ---- From the start ----

std::optional<NftPort> NftRenderer::plan(const PortRoutes& routes, const RouteTable& table,
                                         const NftPort* previous) {
  unwritten_.erase(routes.port.key);
  if (previous != nullptr && kept_.count(routes.port.key) != 0) return as_kept(*previous, routes);
  const NftUse use = use_of(routes, table);
  if (!use.cluster && !use.local) return std::nullopt;
  const auto id = previous == nullptr ? ids_.take() : std::optional(previous->id);
  if (id) return plan_port_({.routes = routes, .use = use, .previous = previous, .id = *id});
  unwritten_.insert(routes.port.key);
  return std::nullopt;
}

void NftRenderer::start(const RouteTable& table, NftMemory memory) {
  table_ = table;
  ids_ = NftPortIds(options_.port_ids);
  ports_.clear();
  unwritten_.clear();
  hairpins_.clear();
  numbers_ = std::move(memory.numbers);
  kept_ = std::move(memory.kept);
  std::uint32_t highest = memory.highest_client_map;
  std::erase_if(memory.ports, [&](const auto& one) {
    const auto& [key, port] = one;
    if (table.ports.find(key) == nullptr || !ids_.claim(port.id)) return true;
    highest = std::max(highest, port.id);
    return false;
  });
  ids_.go_on_behind(highest);
  table.ports.each([&](const PortRoutesRef& routes) {
    const auto known = memory.ports.find(routes->port.key);
    auto planned = plan(*routes, table, known == memory.ports.end() ? nullptr : &known->second);
    for (NftBytes& key : nft_hairpins(*routes)) ++hairpins_[std::move(key)];
    if (!planned) return true;
    need_chains(*planned, nullptr);
    ports_.insert_or_assign(ports_.end(), routes->port.key, std::move(*planned));
    return true;
  });
}

// ---- Changes ----

void NftRenderer::change_pool(const NftPort* before, const NftPort* after, bool of_local,
                              Step& step) {
  static const NftPool none;
  const auto pool = [&](const NftPort* port) -> const NftPool& {
    return port == nullptr ? none : of_local ? port->local : port->cluster;
  };
  const NftPool& old_pool = pool(before);
  const NftPool& new_pool = pool(after);
  const auto& old_slots = old_pool.assignment.slots;
  const auto& new_slots = new_pool.assignment.slots;
  const bool same_keys =
      before != nullptr && after != nullptr && before->value(of_local) == after->value(of_local);
  for (std::uint32_t slot = 0; slot < std::max(old_slots.size(), new_slots.size()); ++slot) {
    if (same_keys && old_slots[slot] == new_slots[slot]) continue;
    if (slot < old_slots.size())
      step.changes.had(nft_slots_set(*before), nft_slot(*before, of_local, slot));
    if (slot < new_slots.size())
      step.changes.has(nft_slots_set(*after), nft_slot(*after, of_local, slot));
  }
  for (std::size_t at = 0; at < old_pool.ordinals.of.size(); ++at)
    step.changes.had(nft_set::kBackends, nft_backend(*before, of_local, at));
  for (std::size_t at = 0; at < new_pool.ordinals.of.size(); ++at)
    step.changes.has(nft_set::kBackends, nft_backend(*after, of_local, at));
}

std::optional<NftAffinity> NftRenderer::affinity_of(const NftPort* port, bool of_local) const {
  if (port == nullptr || !remembers_clients(port->list(of_local))) return std::nullopt;
  return nft_affinity({.family = family_,
                       .list = port->list(of_local),
                       .timeout = std::chrono::seconds(port->affinity_seconds),
                       .options = options_});
}

// The map goes with the list: what is remembered of backends that are all gone is of no use.
void NftRenderer::change_affinity(const NftPort* before, const NftPort* after, bool of_local,
                                  Step& step) {
  auto old = affinity_of(before, of_local);
  auto now = affinity_of(after, of_local);
  if (old) {
    step.changes.had(nft_set::kRecallClients, nft_recall_element(before->list(of_local)));
    step.changes.had(nft_set::kLearnClients, nft_learn_element(before->list(of_local)));
  }
  if (now) {
    step.changes.has(nft_set::kRecallClients, nft_recall_element(after->list(of_local)));
    step.changes.has(nft_set::kLearnClients, nft_learn_element(after->list(of_local)));
  }
  const bool same_map = old && now && old->clients.name == now->clients.name;
  if (old && !same_map) {
    step.changes.remove_chain(std::move(old->recall.name));
    step.changes.remove_chain(std::move(old->learn.name));
    step.changes.remove_set(std::move(old->clients.name));
  }
  if (now && !same_map) {
    step.changes.add_set(std::move(now->clients));
    step.changes.add_chain(std::move(now->recall));
    step.changes.add_chain(std::move(now->learn));
  } else if (same_map && before->affinity_seconds != after->affinity_seconds) {
    step.changes.refill_chain(std::move(now->recall));
    step.changes.refill_chain(std::move(now->learn));
  }
}

void NftRenderer::count_hairpins(const PortRoutes* before, const PortRoutes* after, Step& step) {
  const auto count = [&](const PortRoutes* routes, bool more) {
    if (routes == nullptr) return;
    for (NftBytes& key : nft_hairpins(*routes)) {
      std::uint32_t& known = hairpins_[key];
      step.old_hairpins.try_emplace(key, known);
      known += more ? 1U : ~0U;
    }
  };
  count(after, true);
  count(before, false);
}

void NftRenderer::change_port(const PortChange& change, const RouteTable& table, Step& step) {
  const ServicePortKey& key = (change.after ? change.after : change.before)->port.key;
  std::optional<NftPort> old;
  if (const auto known = ports_.find(key); known != ports_.end()) {
    old = std::move(known->second);
    ports_.erase(known);
  }
  const NftPort* before = old ? &*old : nullptr;
  const NftPort* after = nullptr;
  if (change.after) {
    if (auto planned = plan(*change.after, table, before))
      after = &ports_.insert_or_assign(key, std::move(*planned)).first->second;
  } else {
    unwritten_.erase(key);
  }
  if (old && after == nullptr) step.free_ids.push_back(old->id);
  if (after != nullptr) need_chains(*after, &step.changes);
  for (const bool of_local : {false, true}) {
    change_pool(before, after, of_local, step);
    change_affinity(before, after, of_local, step);
  }
  if (concerns_frontends(change, before, after)) {
    for (const PortRoutesRef& routes : {change.before, change.after}) {
      if (!routes) continue;
      for (const auto& route : plan_frontends(*routes, table_.rules))
        step.frontends.insert(route->at);
    }
  }
  count_hairpins(change.before.get(), change.after.get(), step);
  step.old_ports.emplace(key, std::move(old));
}

// Those that changed, those that frontends now lead to or no longer do, and those that had no
// number and may find one.
void NftRenderer::change_ports(const RouteTable& table, const RouteChanges& changes, Step& step) {
  for (const PortChange& change : changes.ports) {
    kept_.erase((change.after ? change.after : change.before)->port.key);
    change_port(change, table, step);
  }
  std::set<ServicePortKey> concerned = unwritten_;
  for (const FrontendChange& change : changes.frontends) {
    for (const FrontendRouteRef& route : {change.before, change.after}) {
      if (route) concerned.insert(route->port);
    }
  }
  for (const ServicePortKey& key : concerned) {
    if (step.old_ports.count(key) != 0) continue;
    if (const PortRoutesRef routes = table.ports.get(key))
      change_port({.before = routes, .after = routes}, table, step);
  }
}

void NftRenderer::change_rules(const RoutingRules& rules, Step& step) {
  const std::vector<NftChain> before = nft_fixed_chains(table_.rules, options_);
  std::vector<NftChain> after = nft_fixed_chains(rules, options_);
  PROXIMA_CHECK(before.size() == after.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (!(before[i] == after[i])) step.changes.refill_chain(std::move(after[i]));
  }
  for (const IpAddress& address : table_.rules.node_ports.addresses)
    step.changes.had(nft_set::kNodePortIps, nft_key_element(nft_bytes(address)));
  for (const IpAddress& address : rules.node_ports.addresses)
    step.changes.has(nft_set::kNodePortIps, nft_key_element(nft_bytes(address)));
}

void NftRenderer::change_frontend(const Frontend& at, const RouteTable& table, Step& step) {
  if (const FrontendRouteRef before = table_.in_force(at)) {
    const auto old = step.old_ports.find(before->port);
    const NftPort* port = this->port(before->port);
    if (old != step.old_ports.end()) port = old->second ? &*old->second : nullptr;
    for (NftSetElement& one : elements_of(*before, table_, port))
      step.changes.had(one.set, std::move(one.element));
  }
  if (const FrontendRouteRef after = table.in_force(at)) {
    for (NftSetElement& one : elements_of(*after, table, port(after->port)))
      step.changes.has(one.set, std::move(one.element));
  }
}

void NftRenderer::change_cluster_ips(const RouteChanges& changes, Step& step) {
  for (const IpAddress& address : changes.old_cluster_ips) {
    if (address.family() == family_)
      step.changes.had(nft_set::kClusterIps, nft_key_element(nft_bytes(address)));
  }
  for (const IpAddress& address : changes.new_cluster_ips) {
    if (address.family() == family_)
      step.changes.has(nft_set::kClusterIps, nft_key_element(nft_bytes(address)));
  }
}

NftTransaction NftRenderer::change(const RouteTable& table, const RouteChanges& changes) {
  Step step;
  change_ports(table, changes, step);
  for (const FrontendChange& change : changes.frontends)
    step.frontends.insert((change.after ? change.after : change.before)->at);
  for (const Frontend& at : step.frontends) change_frontend(at, table, step);
  change_cluster_ips(changes, step);
  for (const auto& [key, count] : step.old_hairpins) {
    const auto now = hairpins_.find(key);
    if (count > 0) step.changes.had(nft_set::kHairpin, nft_key_element(key));
    if (now->second > 0) step.changes.has(nft_set::kHairpin, nft_key_element(key));
    if (now->second == 0) hairpins_.erase(now);
  }
  if (changes.rules_changed) change_rules(table.rules, step);
  for (const std::uint32_t id : step.free_ids) ids_.give_back(id);
  table_ = table;
  return {.family = family_,
          .table = options_.table,
          .operations = std::move(step.changes).operations()};
}

}  // namespace proxima::proxy
