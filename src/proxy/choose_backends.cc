// SPDX-License-Identifier: Apache-2.0
#include "proxy/choose_backends.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "core/model/labels.h"
#include "core/policy/select_endpoints.h"
#include "core/policy/topology_keys.h"

namespace proxima::proxy {
namespace {

using policy::Candidate;
using policy::Reason;
using policy::Selection;

// select_endpoints compares numbers: all that matters is whether a hint is for this node.
constexpr std::uint32_t kOurs = 0;
constexpr std::array<std::uint32_t, 1> kForUs = {kOurs};
constexpr std::array<std::uint32_t, 1> kForOthers = {kOurs + 1};

std::span<const std::uint32_t> hints(HintMatch match) {
  if (match == HintMatch::NoHint) return {};
  return match == HintMatch::Ours ? kForUs : kForOthers;
}

Selection select(const ChoiceInput& input) {
  std::vector<Candidate> candidates;
  candidates.reserve(input.endpoints.size());
  for (const ServiceEndpoint& endpoint : input.endpoints)
    candidates.push_back({.ready = endpoint.ready,
                          .serving = endpoint.serving,
                          .terminating = endpoint.terminating,
                          .local = endpoint.local,
                          .zone_hints = hints(endpoint.zone_hint),
                          .node_hints = hints(endpoint.node_hint)});
  return policy::select_endpoints(
      {.endpoints = candidates,
       .internal_policy_local = input.port.internal_policy_local,
       .external_policy_local = input.port.external_policy_local,
       .externally_accessible = input.port.externally_accessible,
       .node = model::NodeIndex(kOurs),
       .zone = input.node.zone.view().empty() ? model::ZoneIndex() : model::ZoneIndex(kOurs)});
}

RouteReason reason_of(const policy::Note& note) {
  RouteReason reason{
      .reason = note.reason, .subject = {}, .count = note.count, .share = note.share};
  if (!note.subject.empty()) reason.subject = Text(note.subject);
  return reason;
}

Backend backend_of(const ServiceEndpoint& endpoint) {
  return {.at = {endpoint.address, endpoint.port},
          .local = endpoint.local,
          .weight = 1,
          .zone = endpoint.record->zone};
}

Backends backends_of(const ChoiceInput& input, const std::vector<std::uint32_t>& chosen) {
  Backends backends;
  backends.reserve(chosen.size());
  for (const std::uint32_t index : chosen) backends.push_back(backend_of(input.endpoints[index]));
  return backends;
}

// What cluster-wide traffic may use before anyone prefers something: the ready ones, and when there
// are none those that still serve while they end.
std::vector<std::uint32_t> usable(const ChoiceInput& input) {
  std::vector<std::uint32_t> ready;
  std::vector<std::uint32_t> draining;
  for (std::uint32_t i = 0; i < input.endpoints.size(); ++i) {
    const ServiceEndpoint& endpoint = input.endpoints[i];
    if (endpoint.ready) ready.push_back(i);
    if (endpoint.serving && endpoint.terminating) draining.push_back(i);
  }
  return ready.empty() ? draining : ready;
}

// Values of labels as numbers, each text once.
class LabelNumbers {
 public:
  std::uint32_t number(const Text& text) {
    if (!text.has_value()) return policy::kNoValue;
    return numbers_.try_emplace(text, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::map<Text, std::uint32_t> numbers_;
};

bool is_in_own_zone(const ChoiceInput& input, const kube::EndpointRecord& endpoint) {
  return !input.node.zone.view().empty() && endpoint.zone == input.node.zone;
}

// As the controller filled it in: a slice says host and zone; more only if it was written by an old
// API version. What the own Node's labels say is true of endpoints on it, and its region of all
// that are in its zone. The region of other zones is known to who watches every Node, which a node
// does not: such an endpoint has none.
Text endpoint_label(const ChoiceInput& input, const ServiceEndpoint& endpoint,
                    std::string_view key) {
  const kube::EndpointRecord& record = *endpoint.record;
  if (endpoint.local) return kube::label(input.node.labels, key);
  if (key == model::kHostnameLabel) return record.node;
  if (key == model::kZoneLabel && record.zone.has_value()) return record.zone;
  if (key == model::kRegionLabel && is_in_own_zone(input, record))
    return kube::label(input.node.labels, key);
  return kube::label(record.deprecated_topology, key);
}

void choose_by_keys(const ChoiceInput& input, BackendChoice& choice) {
  const std::vector<std::uint32_t> candidates = usable(input);
  const std::vector<std::string_view> keys = [&] {
    std::vector<std::string_view> views;
    for (const Text& key : input.wish.keys) views.push_back(key.view());
    return views;
  }();
  const kube::LabelSetRef& labels = input.node.labels;
  LabelNumbers numbers;
  const policy::TopologyKeysChoice chosen = policy::choose_by_topology_keys(
      {.keys = keys,
       .node_known = labels && !labels->all().empty(),
       .node_label = [&](std::string_view key) { return numbers.number(kube::label(labels, key)); },
       .endpoint_label =
           [&](std::size_t at, std::string_view key) {
             return numbers.number(endpoint_label(input, input.endpoints[candidates[at]], key));
           },
       .endpoint_count = candidates.size()});
  choice.cluster.clear();
  for (const std::uint32_t at : chosen.endpoints)
    choice.cluster.push_back(backend_of(input.endpoints[candidates[at]]));
  choice.why = reason_of(chosen.why);
}

std::string_view place_of(const ServiceEndpoint& endpoint) {
  const std::string_view zone = endpoint.record->zone.view();
  return zone.empty() ? plan::kNoZoneInSplit : zone;
}

std::uint32_t permille_of(const plan::ZoneRow& row, std::string_view zone) {
  for (const plan::ZoneShare& share : row.to) {
    if (share.zone == zone) return static_cast<std::uint32_t>(share.permille);
  }
  return 0;
}

// Millionths, so that an uneven number of endpoints costs no accuracy that anyone could measure.
constexpr std::uint32_t kWeightPerPermille = 1000;

void choose_by_split(const ChoiceInput& input, BackendChoice& choice) {
  std::map<std::string_view, std::uint32_t> ready_in;
  for (const ServiceEndpoint& endpoint : input.endpoints)
    if (endpoint.ready) ++ready_in[place_of(endpoint)];
  std::uint64_t total = 0;
  std::uint64_t stays = 0;
  Backends backends;
  for (const ServiceEndpoint& endpoint : input.endpoints) {
    if (!endpoint.ready) continue;
    const std::string_view place = place_of(endpoint);
    const std::uint32_t permille = permille_of(*input.split, place);
    if (permille == 0) continue;
    Backend backend = backend_of(endpoint);
    backend.weight = std::max(1U, permille * kWeightPerPermille / ready_in[place]);
    total += backend.weight;
    if (place == input.split->zone) stays += backend.weight;
    backends.push_back(std::move(backend));
  }
  // Zones that the plan sends traffic to may have lost all their endpoints since.
  if (total == 0) {
    choice.why = {.reason = Reason::SplitOutOfDate};
    return;
  }
  choice.cluster = std::move(backends);
  choice.why = {.reason = Reason::UsesSplit,
                .share = static_cast<double>(stays) / static_cast<double>(total)};
}

template <class Preferred>
Backends preferred_backends(const ChoiceInput& input, Preferred preferred) {
  Backends backends;
  for (const ServiceEndpoint& endpoint : input.endpoints) {
    if (endpoint.ready && preferred(endpoint)) backends.push_back(backend_of(endpoint));
  }
  return backends;
}

// Only where slices say nothing: nearest first, everyone rather than nobody.
void choose_by_preference(const ChoiceInput& input, BackendChoice& choice) {
  if (input.wish.kind == RoutingWish::Kind::PreferSameNode) {
    Backends here = preferred_backends(input, [](const ServiceEndpoint& e) { return e.local; });
    if (!here.empty()) {
      choice.why = {.reason = Reason::SameNode};
      choice.cluster = std::move(here);
      return;
    }
  }
  const Text& zone = input.node.zone;
  if (zone.view().empty()) {
    choice.why = {.reason = Reason::NodeZoneUnknown};
    return;
  }
  Backends near =
      preferred_backends(input, [&](const ServiceEndpoint& e) { return e.record->zone == zone; });
  choice.why = {.reason = near.empty() ? Reason::NoneInZone : Reason::SameZone};
  if (!near.empty()) choice.cluster = std::move(near);
}

// Decides for cluster-wide traffic where more than hints is said.
void refine_cluster(const ChoiceInput& input, BackendChoice& choice) {
  if (input.wish.kind == RoutingWish::Kind::TopologyKeys) return choose_by_keys(input, choice);
  // Without a ready endpoint there is nothing left to prefer.
  if (choice.why.reason == Reason::TerminatingFallback) return;
  if (input.split != nullptr) return choose_by_split(input, choice);
  if (choice.why.reason != Reason::ClusterWide) return;
  if (input.has_split) {
    choice.why = {.reason = Reason::NoSplitForZone};
  } else if (input.wish.kind != RoutingWish::Kind::FollowSlices) {
    choose_by_preference(input, choice);
  } else if (!input.unreadable_split.view().empty()) {
    choice.why = {.reason = Reason::SplitUnreadable, .subject = input.unreadable_split};
  }
}

}  // namespace

BackendChoice choose_backends(const ChoiceInput& input) {
  const Selection selection = select(input);
  BackendChoice choice;
  choice.has_any = selection.has_any;
  choice.cluster = backends_of(input, selection.cluster);
  choice.local = backends_of(input, selection.local);
  choice.why = reason_of(selection.uses_cluster ? selection.why : selection.why_local);
  if (selection.uses_cluster && selection.uses_local)
    choice.why_local = reason_of(selection.why_local);
  if (selection.uses_cluster && choice.has_any) refine_cluster(input, choice);
  return choice;
}

}  // namespace proxima::proxy
