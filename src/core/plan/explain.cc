// SPDX-License-Identifier: Apache-2.0
#include "core/plan/explain.h"

#include <algorithm>
#include <cmath>

#include "core/plan/decisions.h"
#include "core/plan/route.h"

namespace proxima::plan {
namespace {

using model::Endpoint;
using model::Snapshot;
using policy::Note;
using policy::Reason;

// Why this endpoint gets what it gets; the decision itself is the reason of those that are used.
Note why_of(const Endpoint& endpoint, double share, const Note& decision) {
  if (share > 0) return decision;
  if (is_terminating(endpoint)) return {.reason = Reason::EndpointTerminating};
  if (!is_ready_for_proxy(endpoint)) return {.reason = Reason::EndpointNotReady};
  return {.reason = Reason::EndpointElsewhere};
}

std::vector<ExplainedEndpoint> explain_endpoints(const ClusterPlan& plan,
                                                 const ServicePlan& service,
                                                 const EndpointShares& shares,
                                                 const Traffic& traffic) {
  const auto endpoints = Snapshot::part(plan.snapshot->endpoints, service.endpoints);
  double weight = 0;
  for (const Endpoint& e : endpoints) weight += is_ready_for_proxy(e) ? e.weight : 0;
  std::vector<ExplainedEndpoint> out;
  for (std::size_t e = 0; e < endpoints.size(); ++e) {
    const bool ready = is_ready_for_proxy(endpoints[e]);
    const double fair = ready && weight > 0 ? endpoints[e].weight / weight : 0;
    out.push_back({.endpoint = service.endpoints.begin + static_cast<std::uint32_t>(e),
                   .share = shares.share[e],
                   .share_now = shares.share[e],
                   .load = fair > 0 ? traffic.endpoint_load[e] / fair : 0,
                   .why = why_of(endpoints[e], shares.share[e], shares.notes.front())});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return out;
}

EndpointShares shares_from(const ClusterPlan& plan, const ServicePlan& service, From from,
                           RouteSource source) {
  return from.node ? shares_from_node(plan, service, from.node, source)
                   : shares_from_zone(plan, service, from.zone, source);
}

void add_published(const EndpointShares& now, Explanation& out) {
  bool differs = false;
  for (ExplainedEndpoint& one : out.endpoints) {
    one.share_now = now.share[one.endpoint - out.plan.endpoints.begin];
    differs = differs || std::abs(one.share_now - one.share) > kPublishedStep;
  }
  if (differs) out.on_node_now = now.notes;
}

}  // namespace

Explanation explain(const ClusterPlan& plan, const ServicePlan& service, From from) {
  const auto shares = shares_from(plan, service, from, RouteSource::Plan);
  Explanation out;
  out.plan = service;
  out.policy_chain = policy_chain_of(plan, service);
  out.decisions = decisions_of(plan, service);
  out.on_node = shares.notes;
  out.traffic = predict_traffic(plan, service);
  out.endpoints = explain_endpoints(plan, service, shares, out.traffic);
  if (has_published(plan, service))
    add_published(shares_from(plan, service, from, RouteSource::Published), out);
  out.published = compare_published(plan, service);
  out.what_if = what_would_change(plan, service);
  return out;
}

}  // namespace proxima::plan
