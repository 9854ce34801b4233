// SPDX-License-Identifier: Apache-2.0
#include "web/plan_picture.h"

#include <algorithm>

#include "core/plan/decisions.h"
#include "core/plan/plan_failure.h"
#include "report/note_document.h"
#include "report/zone_split.h"

namespace proxima::web {
namespace {

using model::Snapshot;

// Below this a flow is rounding.
constexpr double kNothing = 1e-9;

std::string level_of(policy::Severity severity) {
  return severity == policy::Severity::Good ? "ok" : std::string(report::to_text(severity));
}

std::vector<FlowPicture> flows_of(const plan::ClusterPlan& plan, const plan::Traffic& traffic) {
  std::vector<FlowPicture> flows;
  for (std::size_t from = 0; from < plan.places; ++from) {
    for (std::size_t to = 0; to < plan.places; ++to) {
      const double share = traffic.place_to_place[from * plan.places + to];
      if (share < kNothing) continue;
      flows.push_back({.from = std::string(report::place_name(*plan.snapshot, from)),
                       .to = std::string(report::place_name(*plan.snapshot, to)),
                       .share = share});
    }
  }
  return flows;
}

EndpointPicture endpoint_of(const Snapshot& snapshot, std::string_view ns,
                            const model::Endpoint& endpoint) {
  EndpointPicture picture;
  if (endpoint.pod) picture.pod = std::string(ns) + "/" + std::string(snapshot.names[endpoint.pod]);
  picture.address = endpoint.address.text();
  picture.zone = snapshot.zone_name(endpoint.zone);
  picture.node = snapshot.node_name(endpoint.node);
  return picture;
}

std::vector<EndpointPicture> endpoints_of(const plan::ClusterPlan& plan,
                                          const plan::ServicePlan& service,
                                          const plan::Traffic& traffic) {
  const Snapshot& snapshot = *plan.snapshot;
  const auto all = Snapshot::part(snapshot.endpoints, service.endpoints);
  const auto ns = snapshot.namespace_name(snapshot.services[service.service.value()].ns);
  double weight = 0;
  for (const model::Endpoint& one : all) weight += is_ready_for_proxy(one) ? one.weight : 0.0F;
  std::vector<EndpointPicture> pictures;
  for (std::size_t i = 0; i < std::min(all.size(), kMaxEndpointsShown); ++i) {
    EndpointPicture picture = endpoint_of(snapshot, ns, all[i]);
    if (weight > 0 && is_ready_for_proxy(all[i])) picture.fair_share = all[i].weight / weight;
    // One that is not ready and yet used is measured by what one of all would get.
    const double fair =
        picture.fair_share > 0 ? picture.fair_share : 1.0 / static_cast<double>(all.size());
    if (i < traffic.endpoint_load.size()) picture.load = traffic.endpoint_load[i] / fair;
    pictures.push_back(std::move(picture));
  }
  return pictures;
}

std::map<std::string, double> demand_of(const plan::ClusterPlan& plan,
                                        const plan::ServicePlan& service) {
  std::map<std::string, double> demand;
  const auto& by_place = plan.demands[service.demand].by_place;
  for (std::size_t place = 0; place < by_place.size(); ++place) {
    if (by_place[place] > 0)
      demand[std::string(report::place_name(*plan.snapshot, place))] = by_place[place];
  }
  return demand;
}

}  // namespace

ReasonPicture picture_of(const policy::Note& note) {
  const policy::ReasonText& text = policy::text_of(note.reason);
  return {.reason = std::string(text.code),
          .level = level_of(text.severity),
          .text = policy::sentence(note),
          .advice = policy::remedy(note)};
}

PlanPicture picture_of(plan::ClusterPlan& plan, plan::ServicePlan& service) {
  const plan::Traffic traffic = plan::predict_or_fail(plan, service);
  PlanPicture picture;
  picture.policy = policy::to_text(service.policy);
  if (service.policy == policy::PolicyKind::Balanced) picture.overload = service.overload;
  picture.local = traffic.local;
  picture.rejected = traffic.rejected;
  const double crossing = plan.options.prices.same_region;
  picture.crossings = crossing > 0 ? traffic.cost / crossing : 0;
  picture.worst_overload = traffic.worst_overload;
  picture.hinted = service.hinted;
  picture.split = service.split >= 0;
  const std::vector<policy::Note> decisions = plan::decisions_of(plan, service);
  picture.why = picture_of(decisions.front());
  for (const policy::Note& note : Snapshot::part(plan.notes, service.policy_notes))
    picture.notes.push_back(picture_of(note));
  for (std::size_t i = 1; i < decisions.size(); ++i)
    picture.notes.push_back(picture_of(decisions[i]));
  picture.demand = demand_of(plan, service);
  picture.flows = flows_of(plan, traffic);
  picture.endpoints = endpoints_of(plan, service, traffic);
  return picture;
}

}  // namespace proxima::web
