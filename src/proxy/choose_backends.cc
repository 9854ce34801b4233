// SPDX-License-Identifier: Apache-2.0
#include "proxy/choose_backends.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/model/labels.h"
#include "core/route/service_router.h"

namespace proxima::proxy {
namespace {

// The router compares numbers. Of nodes all that matters is whether one is this node.
constexpr std::uint32_t kOurs = 0;
constexpr std::uint32_t kNotOurs = 1;
constexpr std::array<std::uint32_t, 1> kForUs = {kOurs};
constexpr std::array<std::uint32_t, 1> kForOthers = {kNotOurs};

std::span<const std::uint32_t> hints(HintMatch match) {
  if (match == HintMatch::NoHint) return {};
  return match == HintMatch::Ours ? kForUs : kForOthers;
}

RouteReason reason_of(const policy::Note& note) {
  RouteReason reason{
      .reason = note.reason, .subject = {}, .count = note.count, .share = note.share};
  if (!note.subject.empty()) reason.subject = Text(note.subject);
  return reason;
}

// Values of labels as numbers, each text once.
class LabelNumbers {
 public:
  std::uint32_t number(const Text& text) {
    if (!text.has_value()) return route::kUnknown;
    return numbers_.try_emplace(text, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::map<Text, std::uint32_t> numbers_;
};

// Zones as numbers: the node's own, then those of the split. Of others all that matters is that
// they are neither, nor "no zone".
class ZoneNumbers {
 public:
  explicit ZoneNumbers(const ChoiceInput& input) : own_(input.node.zone.view()) {
    if (input.split == nullptr) return;
    for (const route::ZoneShare& to : input.split->to) zones_.push_back(to.zone);
  }

  std::uint32_t own() const { return own_.empty() ? route::kUnknown : kOurs; }
  std::uint32_t of(std::string_view zone) const {
    if (zone.empty() || zone == route::kNoZoneInSplit) return route::kUnknown;
    if (zone == own_) return kOurs;
    const auto at = std::find(zones_.begin(), zones_.end(), zone);
    return static_cast<std::uint32_t>(at - zones_.begin()) + kFirstOther;
  }

 private:
  static constexpr std::uint32_t kFirstOther = kNotOurs + 1;
  std::string_view own_;
  std::vector<std::string_view> zones_;
};

double entry(const std::vector<double>& list, const ServiceEndpoint& endpoint, double otherwise) {
  return endpoint.position < list.size() ? list[endpoint.position] : otherwise;
}

// `zones` null: nobody looks at them.
route::PublishedEndpoint published(const ServiceEndpoint& endpoint, const ZoneNumbers* zones) {
  route::PublishedEndpoint out{
      .ready = endpoint.ready,
      .serving = endpoint.serving,
      .terminating = endpoint.terminating,
      .zone = zones != nullptr ? zones->of(endpoint.record->zone.view()) : route::kUnknown,
      .node = endpoint.local ? kOurs : kNotOurs,
      .zone_hints = hints(endpoint.zone_hint),
      .node_hints = hints(endpoint.node_hint)};
  if (endpoint.routing) {
    out.weight = entry(endpoint.routing->weights, endpoint, 1);
    out.kept_on_node = entry(endpoint.routing->kept, endpoint, 0);
    out.inflow = entry(endpoint.routing->inflow, endpoint, out.weight);
  }
  return out;
}

const route::LabelColumn* column_of(const ServiceEndpoint& endpoint, std::string_view key) {
  if (!endpoint.routing) return nullptr;
  for (const route::LabelColumn& column : endpoint.routing->labels)
    if (column.key == key) return &column;
  return nullptr;
}

// As the controller filled it in: a slice says host and zone, and other labels that keys ask for in
// its annotation. None: nothing is published.
std::optional<Text> endpoint_label(const ServiceEndpoint& endpoint, std::string_view key) {
  const kube::EndpointRecord& record = *endpoint.record;
  if (key == model::kHostnameLabel) return record.node;
  if (key == model::kZoneLabel && record.zone.has_value()) return record.zone;
  if (const route::LabelColumn* column = column_of(endpoint, key)) {
    const auto& value = column->values[endpoint.position];
    return value ? Text(*value) : Text();
  }
  Text old = kube::label(record.deprecated_topology, key);
  return old.has_value() ? std::optional(std::move(old)) : std::nullopt;
}

// Millionths, so that an uneven number of endpoints costs no accuracy that anyone could measure.
constexpr double kWholeWeight = 1'000'000;

Backends backends_of(const ChoiceInput& input, const route::Route& route) {
  Backends backends;
  backends.reserve(route.picks.size());
  for (const route::Pick& pick : route.picks) {
    const ServiceEndpoint& endpoint = input.endpoints[pick.endpoint];
    const double weight = route.alike ? 1 : std::max(1.0, std::round(pick.share * kWholeWeight));
    backends.push_back({.at = {endpoint.address, endpoint.port},
                        .local = endpoint.local,
                        .weight = static_cast<std::uint32_t>(weight),
                        .zone = endpoint.record->zone});
  }
  return backends;
}

route::Preference preference_of(const RoutingWish& wish) {
  switch (wish.kind) {
    case RoutingWish::Kind::PreferSameNode:
      return route::Preference::SameNode;
    case RoutingWish::Kind::PreferSameZone:
      return route::Preference::SameZone;
    case RoutingWish::Kind::FollowSlices:
    case RoutingWish::Kind::TopologyKeys:
    case RoutingWish::Kind::RequireZone:
      break;
  }
  return route::Preference::None;
}

// What is published, in the router's terms.
class PublishedChoice {
 public:
  explicit PublishedChoice(const ChoiceInput& input) : input_(input), zones_(input) {
    endpoints_.reserve(input.endpoints.size());
    service_.split_is_failover = input.split_is_failover;
    service_.requires_zone =
        input.split_is_failover || input.wish.kind == RoutingWish::Kind::RequireZone;
    const bool by_zone = input.split != nullptr || service_.requires_zone ||
                         input.wish.kind != RoutingWish::Kind::FollowSlices;
    for (const ServiceEndpoint& endpoint : input.endpoints)
      endpoints_.push_back(published(endpoint, by_zone ? &zones_ : nullptr));
    service_.endpoints = endpoints_;
    service_.internal_policy_local = input.port.internal_policy_local;
    service_.external_policy_local = input.port.external_policy_local;
    service_.externally_accessible = input.port.externally_accessible;
    service_.uses_hints = input.uses_hints;
    service_.ignores_health = input.ignores_health;
    service_.preference = preference_of(input.wish);
    service_.unreadable_slice = input.unreadable_split.view();
    if (input.wish.kind == RoutingWish::Kind::TopologyKeys) follow_keys();
    service_.has_split = input.has_split;
    if (input.split != nullptr) take_row(*input.split);
  }
  PublishedChoice(const PublishedChoice&) = delete;
  PublishedChoice& operator=(const PublishedChoice&) = delete;

  route::NodeRoute route() {
    const kube::LabelSetRef& labels = input_.node.labels;
    return route::ServiceRouter(service_).from(
        {.node = kOurs,
         .zone = zones_.own(),
         .zone_name = input_.node.zone.view(),
         .labels_known = labels && !labels->all().empty(),
         .label = [&](std::string_view key) { return labels_.number(kube::label(labels, key)); }});
  }

 private:
  void follow_keys() {
    for (const Text& key : input_.wish.keys) keys_.push_back(key.view());
    service_.follows_keys = true;
    service_.keys = keys_;
    service_.endpoint_label = [this](std::size_t endpoint,
                                     std::string_view key) -> std::optional<std::uint32_t> {
      const auto label = endpoint_label(input_.endpoints[endpoint], key);
      if (!label) return std::nullopt;
      return labels_.number(*label);
    };
  }
  void take_row(const route::ZoneRow& row) {
    for (const route::ZoneShare& to : row.to)
      shares_.push_back(
          {zones_.of(to.zone), static_cast<double>(to.permille) / route::kWholePermille});
    row_ = {zones_.own(), shares_};
    service_.split = std::span(&row_, 1);
  }

  const ChoiceInput& input_;
  ZoneNumbers zones_;
  LabelNumbers labels_;
  std::vector<route::PublishedEndpoint> endpoints_;
  std::vector<std::string_view> keys_;
  std::vector<route::SplitShare> shares_;
  route::SplitRow row_;
  route::PublishedService service_;
};

}  // namespace

BackendChoice choose_backends(const ChoiceInput& input) {
  const route::NodeRoute route = PublishedChoice(input).route();
  BackendChoice choice;
  choice.has_any = route.has_any;
  if (route.cluster) {
    choice.cluster = backends_of(input, *route.cluster);
    choice.why = reason_of(route.cluster->notes.front());
  }
  if (route.local) {
    choice.local = backends_of(input, *route.local);
    const RouteReason why = reason_of(route.local->notes.front());
    if (route.cluster) {
      choice.why_local = why;
    } else {
      choice.why = why;
    }
  }
  return choice;
}

}  // namespace proxima::proxy
