// SPDX-License-Identifier: Apache-2.0
#include "core/plan/published.h"

#include <algorithm>
#include <optional>
#include <span>

namespace proxima::plan {
namespace {

using model::Endpoint;
using model::EndpointSlice;
using model::Snapshot;

// Of one endpoint, as published or as planned, in a form that compares.
struct Hints {
  std::vector<std::uint32_t> zones;
  std::vector<std::uint32_t> nodes;
  auto operator<=>(const Hints&) const = default;
};

Hints published_of(const Snapshot& snapshot, const Endpoint& endpoint) {
  const auto all = std::span(snapshot.hints).subspan(endpoint.hints);
  const auto zones = all.first(endpoint.zone_hint_count);
  const auto nodes = all.subspan(endpoint.zone_hint_count, endpoint.node_hint_count);
  Hints out{{zones.begin(), zones.end()}, {nodes.begin(), nodes.end()}};
  std::sort(out.zones.begin(), out.zones.end());
  std::sort(out.nodes.begin(), out.nodes.end());
  return out;
}

Hints planned_of(const ClusterPlan& plan, const EndpointHint& hint, const Endpoint& endpoint) {
  Hints out;
  plan.each_zone(hint, [&](model::ZoneIndex zone) {
    out.zones.push_back(static_cast<std::uint32_t>(zone.value()));
  });
  if (hint.for_own_node) out.nodes.push_back(static_cast<std::uint32_t>(endpoint.node.value()));
  return out;
}

// Where an endpoint stands and for whom it is: equally many of each kind serve equally well.
struct Placed {
  std::uint32_t zone = 0;
  Hints hints;
  auto operator<=>(const Placed&) const = default;
};

class PublishedComparison {
 public:
  explicit PublishedComparison(const ClusterPlan& plan) : plan_(plan), snapshot_(*plan.snapshot) {}

  void add(const EndpointSlice& slice) {
    if (slice.derived || !slice.managed_by_controller) return;
    out_.known = true;
    for (std::uint32_t i = 0; i < slice.endpoints.size; ++i) add(slice.endpoints.begin + i);
  }

  Published result() && {
    std::sort(published_.begin(), published_.end());
    std::sort(planned_.begin(), planned_.end());
    out_.equally_good = !out_.different.empty() && published_ == planned_;
    return std::move(out_);
  }

 private:
  void add(std::uint32_t index) {
    const Endpoint& endpoint = snapshot_.endpoints[index];
    if (!model::is_ready_for_hints(endpoint)) return;
    Hints published = published_of(snapshot_, endpoint);
    Hints planned = planned_of(plan_, plan_.hints[index], endpoint);
    ++out_.compared;
    out_.hinted += published == Hints{} ? 0 : 1;
    if (published != planned) out_.different.push_back(index);
    const auto zone =
        static_cast<std::uint32_t>(endpoint.zone ? endpoint.zone.value() : plan_.places);
    published_.push_back({zone, std::move(published)});
    planned_.push_back({zone, std::move(planned)});
  }

  const ClusterPlan& plan_;
  const Snapshot& snapshot_;
  std::vector<Placed> published_;
  std::vector<Placed> planned_;
  Published out_;
};

}  // namespace

Published compare_published(const ClusterPlan& plan, const ServicePlan& service) {
  PublishedComparison comparison(plan);
  for (const EndpointSlice& slice : Snapshot::part(plan.snapshot->slices, service.slices))
    comparison.add(slice);
  return std::move(comparison).result();
}

}  // namespace proxima::plan
