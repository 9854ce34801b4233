// SPDX-License-Identifier: Apache-2.0
#include "slices/family_decision.h"

#include <algorithm>
#include <cmath>

#include "core/plan/decisions.h"
#include "core/plan/traffic.h"
#include "core/policy/auto_hints.h"

namespace proxima::slices {
namespace {

using model::Endpoint;
using model::Snapshot;
using plan::ClusterPlan;
using plan::ServicePlan;
using policy::Reason;

// Sums of shares carry rounding; an overload below a billionth is none.
constexpr double kRounding = 1e-9;

HintNews upstream_news(const ServicePlan& service, const policy::CpuRatios& ratios) {
  policy::AutoDecision decision{.hinted = service.hinted, .why = service.why};
  // Upstream counts its way to a refusal where we see that nobody is ready at all.
  if (service.why.reason == Reason::NoneReady) {
    const auto zones = static_cast<std::int64_t>(ratios.zones.size());
    decision.why = ratios.zones.empty()
                       ? ratios.why_none
                       : policy::Note{.reason = Reason::TooFewEndpoints, .zones = zones};
  }
  const policy::HintEvent event = policy::hint_event(decision);
  // Upstream's text for a single zone speaks of missing data, and would contradict the condition.
  if (decision.why.reason == Reason::SingleZone)
    return {std::string(event.reason), policy::sentence(decision.why)};
  return {std::string(event.reason), event.message};
}

struct PlaceTally {
  std::uint32_t endpoints = 0;
  std::uint32_t hinted = 0;
  double weight = 0;
  double load = 0;
};

std::vector<PlaceTally> tally_places(const ClusterPlan& plan, const ServicePlan& service,
                                     const plan::Traffic& traffic) {
  std::vector<PlaceTally> places(plan.places);
  const auto endpoints = Snapshot::part(plan.snapshot->endpoints, service.endpoints);
  for (std::size_t e = 0; e < endpoints.size(); ++e) {
    const Endpoint& endpoint = endpoints[e];
    PlaceTally& place = places[endpoint.zone ? endpoint.zone.value() : plan.places - 1];
    place.load += traffic.endpoint_load[e];
    if (!is_ready_for_proxy(endpoint)) continue;
    ++place.endpoints;
    place.weight += static_cast<double>(endpoint.weight);
    plan.each_zone(plan.hints[service.endpoints.begin + e],
                   [&](model::ZoneIndex zone) { ++places[zone.value()].hinted; });
  }
  return places;
}

std::vector<ZoneFigures> figures(const ClusterPlan& plan, const ServicePlan& service,
                                 const plan::Traffic& traffic) {
  const auto places = tally_places(plan, service, traffic);
  const auto& demand = plan.demands[service.demand].by_place;
  double weight = 0;
  for (const PlaceTally& place : places) weight += place.weight;
  std::vector<ZoneFigures> out;
  for (std::size_t p = 0; p < places.size(); ++p) {
    const PlaceTally& place = places[p];
    if (demand[p] <= 0 && place.endpoints == 0 && place.hinted == 0) continue;
    ZoneFigures zone{.zone = {}, .endpoints = place.endpoints, .hinted = place.hinted};
    if (p + 1 < places.size()) zone.zone = plan.snapshot->zone_name(model::ZoneIndex(p));
    zone.demand = demand[p];
    if (demand[p] > 0) {
      zone.local_share = traffic.place_to_place[p * plan.places + p] / demand[p];
    }
    if (place.weight > 0) {
      const double overload = place.load * weight / place.weight - 1;
      zone.predicted_overload = std::abs(overload) < kRounding ? 0 : overload;
    }
    out.push_back(std::move(zone));
  }
  // Places are zones by name and then "no zone", whose name is the smallest.
  if (!out.empty() && out.back().zone.empty()) std::rotate(out.begin(), out.end() - 1, out.end());
  return out;
}

std::vector<FailingZone> describe_failing(const ClusterPlan& plan, const ServicePlan& service) {
  std::vector<FailingZone> out;
  const auto notes = plan::decisions_of(plan, service);
  for (const plan::FailingZone& zone : Snapshot::part(plan.failing, service.failing)) {
    const std::string_view name = plan.snapshot->zone_name(zone.zone);
    const Reason reason = zone.spent ? Reason::ZoneFailoverSpent : Reason::ZoneFailsOver;
    const auto note = std::find_if(notes.begin(), notes.end(), [&](const policy::Note& one) {
      return one.reason == reason && one.subject == name;
    });
    out.push_back({.zone = std::string(name),
                   .spent = zone.spent,
                   .sentence = note != notes.end() ? policy::sentence(*note) : std::string()});
  }
  return out;
}

}  // namespace

FamilyDecision describe_family(const ClusterPlan& plan, const ServicePlan& service,
                               const policy::CpuRatios& ratios) {
  FamilyDecision out;
  out.family = service.family == IpFamily::V4 ? kube::AddressType::IPv4 : kube::AddressType::IPv6;
  out.policy = service.policy;
  out.reason = service.why.reason;
  out.sentence = policy::sentence(service.why);
  out.hinted = service.hinted;
  out.is_auto = service.policy == policy::PolicyKind::Auto;
  if (out.is_auto) out.news = upstream_news(service, ratios);
  const plan::Traffic traffic = plan::predict_traffic(plan, service);
  out.local_share = traffic.local;
  out.cross_share = traffic.cross;
  out.cost = traffic.cost;
  out.failing = describe_failing(plan, service);
  out.zones = figures(plan, service, traffic);
  return out;
}

std::vector<plan::ServiceCondition> describe_conditions(const ClusterPlan& plan) {
  std::vector<plan::ServiceCondition> out;
  for (const ServicePlan& service : plan.services) {
    const Reason from = plan.notes[service.policy_notes.begin].reason;
    const bool counts = plan::not_accepted(plan, service) == nullptr;
    if (counts && from == Reason::NothingSaid) return {};
    auto made = plan::service_conditions(plan, service);
    if (out.empty()) {
      out.push_back(std::move(made[0]));
      out.push_back(std::move(made[1]));
    } else if (out[1].status == plan::ConditionStatus::True) {
      out[1] = std::move(made[1]);
    }
  }
  return out;
}

}  // namespace proxima::slices
