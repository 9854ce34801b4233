// SPDX-License-Identifier: Apache-2.0
// The part of RouteView that reads published slices.
#include <algorithm>
#include <list>
#include <numeric>

#include "core/plan/route.h"

namespace proxima::plan {
namespace {

using model::Endpoint;
using model::EndpointSlice;
using model::Snapshot;

// A label value that no name of the snapshot has differs from all of them, which is all that
// matters.
constexpr std::uint32_t kUnheardOf = route::kUnknown - 1;

// With what their routing annotations say, where that can be read.
struct ReadSlices {
  std::vector<route::SliceTexts> texts;     // by slice
  std::list<route::SliceRouting> routings;  // the texts refer to them
};

ReadSlices read_slices(const Snapshot& snapshot, model::Range slices) {
  ReadSlices read;
  for (const EndpointSlice& slice : Snapshot::part(snapshot.slices, slices)) {
    const auto text = [&](NameId name) { return name ? snapshot.names[name] : std::string_view(); };
    route::SliceTexts& one =
        read.texts.emplace_back(route::SliceTexts{.version = slice.published.version,
                                                  .slice = text(slice.name),
                                                  .split = text(slice.published.split),
                                                  .routing = nullptr});
    if (!slice.published.routing) continue;
    auto routing = route::parse_slice_routing(text(slice.published.routing), slice.endpoints.size);
    if (routing) one.routing = &read.routings.emplace_back(std::move(*routing));
  }
  return read;
}

}  // namespace

route::ServiceTexts published_texts(const Snapshot& snapshot, model::Range slices) {
  return route::read_service_texts(read_slices(snapshot, slices).texts);
}

bool has_published(const ClusterPlan& plan, const ServicePlan& service) {
  const auto slices = Snapshot::part(plan.snapshot->slices, service.slices);
  return !slices.empty() && std::none_of(slices.begin(), slices.end(),
                                         [](const EndpointSlice& one) { return one.derived; });
}

void RouteView::collect_from_slices() {
  drop_duplicates();
  ReadSlices read = read_slices(*plan_.snapshot, service_.slices);
  const auto slices = Snapshot::part(plan_.snapshot->slices, service_.slices);
  for (std::size_t s = 0; s < slices.size(); ++s) {
    if (read.texts[s].routing != nullptr)
      take_routing(slices[s].endpoints.begin - service_.endpoints.begin, *read.texts[s].routing);
  }
  take_service_texts(route::read_service_texts(std::move(read.texts)));
}

void RouteView::take_published_hints(std::size_t endpoint) {
  const Endpoint& one = endpoints_[endpoint];
  const auto hints = std::span(plan_.snapshot->hints).subspan(one.hints);
  published_[endpoint].zone_hints = hints.first(one.zone_hint_count);
  published_[endpoint].node_hints = hints.subspan(one.zone_hint_count, one.node_hint_count);
}

void RouteView::take_routing(std::size_t first, const route::SliceRouting& routing) {
  for (std::size_t i = 0; i < routing.weights.size(); ++i)
    published_[first + i].weight = published_[first + i].inflow = routing.weights[i];
  for (std::size_t i = 0; i < routing.kept.size(); ++i) {
    published_[first + i].kept_on_node = routing.kept[i];
    has_node_tier_ = has_node_tier_ || routing.kept[i] > 0;
  }
  for (std::size_t i = 0; i < routing.inflow.size(); ++i)
    published_[first + i].inflow = routing.inflow[i];
  for (const route::LabelColumn& column : routing.labels) {
    auto& values = labels_[column.key];
    values.resize(endpoints_.size());
    for (std::size_t i = 0; i < column.values.size(); ++i)
      values[first + i] = column.values[i].value_or(std::string(1, '-'));
  }
}

void RouteView::take_service_texts(const route::ServiceTexts& texts) {
  const bool gate_on = plan_.options.defaults.gates.service_topology;
  const bool is_own = asks_itself(plan_, service_);
  routing_.follows_keys = is_own && service_.keys.size > 0;
  if (!routing_.follows_keys && gate_on && !texts.keys.empty()) {
    key_texts_ = texts.keys;
    keys_.assign(key_texts_.begin(), key_texts_.end());
    routing_.keys = keys_;
    routing_.follows_keys = true;
  }
  routing_.requires_zone =
      (is_own && service_.policy == policy::PolicyKind::RequireZone) || texts.requires_zone;
  routing_.split_is_failover = texts.requires_zone;
  routing_.ignores_health = texts.ignores_health;
  routing_.has_split = texts.has_split;
  routing_.unreadable_slice = texts.unreadable;
  const auto number = [&](const std::string& zone) {
    const model::ZoneIndex index = plan_.snapshot->find_zone(zone);
    if (zone == route::kNoZoneInSplit) return route::kUnknown;
    return index ? static_cast<std::uint32_t>(index.value()) : kUnheardOf;
  };
  std::size_t shares = 0;
  for (const route::ZoneRow& row : texts.split) shares += row.to.size();
  shares_.reserve(shares);
  for (const route::ZoneRow& row : texts.split) {
    const std::size_t first = shares_.size();
    for (const route::ZoneShare& to : row.to)
      shares_.push_back(
          {number(to.zone), static_cast<double>(to.permille) / route::kWholePermille});
    rows_.push_back({number(row.zone), std::span(shares_).subspan(first)});
  }
}

std::optional<std::uint32_t> RouteView::published_label(std::size_t endpoint,
                                                        std::string_view key) const {
  const auto column = labels_.find(key);
  if (column == labels_.end() || !column->second[endpoint]) return std::nullopt;
  const std::string& value = *column->second[endpoint];
  if (value == "-") return route::kUnknown;
  const NameId name = plan_.snapshot->names.find(value);
  return name ? static_cast<std::uint32_t>(name.value()) : kUnheardOf;
}

// An address that several slices list is used once, with the best of its conditions, as in
// proxy/service_endpoint.
void RouteView::drop_duplicates() {
  const auto slices = Snapshot::part(plan_.snapshot->slices, service_.slices);
  std::vector<std::uint32_t> slice_of(endpoints_.size());
  for (std::uint32_t s = 0; s < slices.size(); ++s) {
    const std::size_t first = slices[s].endpoints.begin - service_.endpoints.begin;
    std::fill_n(slice_of.begin() + static_cast<std::ptrdiff_t>(first), slices[s].endpoints.size, s);
  }
  const auto rank = [&](std::uint32_t e) {
    const EndpointSlice& slice = slices[slice_of[e]];
    return std::tuple(!published_[e].terminating, slice.published.version, published_[e].ready,
                      plan_.snapshot->names[slice.name]);
  };
  std::vector<std::uint32_t> order(endpoints_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const IpAddress &left = endpoints_[a].address, &right = endpoints_[b].address;
    return left != right ? left < right : rank(a) > rank(b);
  });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (endpoints_[order[i]].address != endpoints_[order[i - 1]].address) continue;
    route::PublishedEndpoint& left_out = published_[order[i]];
    left_out.listed_elsewhere = true;
    left_out.ready = left_out.serving = false;
  }
}

}  // namespace proxima::plan
