// SPDX-License-Identifier: Apache-2.0
#include "core/plan/service_rehearsal.h"

#include <algorithm>

#include "base/check.h"

namespace proxima::plan {
namespace {

using model::NamespaceIndex;
using model::Snapshot;

// Every name keeps its number, so objects of `from` mean the same here.
Snapshot nodes_with_all_names(const Snapshot& from, std::span<const std::string_view> words) {
  Snapshot out;
  for (std::size_t i = 0; i < from.names.size(); ++i) out.names.intern(from.names[NameId(i)]);
  for (const std::string_view word : words) out.names.intern(word);
  out.zones = from.zones;
  out.regions = from.regions;
  out.nodes = from.nodes;
  out.labels = from.labels;
  return out;
}

}  // namespace

ServiceRehearsal::ServiceRehearsal(const ClusterPlan& plan, std::span<const std::string_view> words)
    : plan_(plan),
      snapshot_(*plan.snapshot),
      frame_(nodes_with_all_names(snapshot_, words), plan.options) {}

ServiceWords ServiceRehearsal::words_of(model::ServiceIndex service) const {
  const model::Service& object = snapshot_.services[service.value()];
  const auto keys = Snapshot::part(snapshot_.names_pool, object.topology_key_fields);
  return {.service = object, .topology_keys = {keys.begin(), keys.end()}};
}

NameId ServiceRehearsal::word(std::string_view text) const {
  const NameId id = frame_.snapshot().names.find(text);
  PROXIMA_CHECK(id.has_value());
  return id;
}

void ServiceRehearsal::begin(const ServiceWords& words) {
  const NamespaceIndex own = words.service.ns;
  frame_.begin();
  frame_.add(snapshot_.namespaces[own.value()]);
  frame_.put(words.service, Snapshot::part(snapshot_.service_ports, words.service.ports),
             words.topology_keys);
  const Snapshot& framed = frame_.snapshot();
  const auto resolved = policy::resolve_settings(framed, framed.services.front(),
                                                 plan_.options.defaults, plan_.options.forced);
  if (resolved.settings.demand.source == policy::DemandSource::Clients) add_clients(own);
}

void ServiceRehearsal::add_clients(NamespaceIndex own) {
  std::vector<NamespaceIndex> index_of(snapshot_.namespaces.size());
  index_of[own.value()] = NamespaceIndex(0);
  for (model::Pod pod : snapshot_.pods) {
    NamespaceIndex& ns = index_of[pod.ns.value()];
    if (!ns) ns = frame_.add(snapshot_.namespaces[pod.ns.value()]);
    pod.ns = ns;
    pod.labels = pod.addresses = pod.container_ports = {};
    frame_.add_client(pod);
  }
}

const ClusterPlan& ServiceRehearsal::plan_with(const ServiceWords& words,
                                               model::ServiceIndex service) {
  begin(words);
  const model::Range slices = snapshot_.services[service.value()].slices;
  for (const model::EndpointSlice& slice : Snapshot::part(snapshot_.slices, slices)) {
    frame_.add(slice);
    for (const model::Endpoint& endpoint : Snapshot::part(snapshot_.endpoints, slice.endpoints)) {
      const auto hints = std::span(snapshot_.hints).subspan(endpoint.hints);
      frame_.add(endpoint, hints.first(endpoint.zone_hint_count),
                 hints.subspan(endpoint.zone_hint_count, endpoint.node_hint_count));
    }
  }
  return frame_.plan({});
}

const ClusterPlan& ServiceRehearsal::plan_with(const ServiceWords& words, IpFamily family,
                                               std::span<const model::Endpoint> endpoints) {
  begin(words);
  frame_.add(model::EndpointSlice{.family = family, .derived = true});
  for (const model::Endpoint& endpoint : endpoints) frame_.add(endpoint, {}, {});
  return frame_.plan({});
}

const ServicePlan* family_of(const ClusterPlan& plan, IpFamily family) {
  const auto found = std::ranges::find(plan.services, family, &ServicePlan::family);
  return found == plan.services.end() ? nullptr : &*found;
}

}  // namespace proxima::plan
