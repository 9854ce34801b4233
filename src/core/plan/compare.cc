// SPDX-License-Identifier: Apache-2.0
#include "core/plan/compare.h"

#include <algorithm>

#include "core/plan/plan_failure.h"

namespace proxima::plan {
namespace {

using model::Service;
using model::Snapshot;

double gigabytes_of_both(const Snapshot& snapshot, const Service& service,
                         const TrafficVolume& volume) {
  const std::pair key(std::string(snapshot.namespace_name(service.ns)),
                      std::string(snapshot.names[service.name]));
  const auto found = volume.gigabytes.find(key);
  return found == volume.gigabytes.end() ? volume.default_gigabytes : found->second;
}

// Plans whose service is wanted and has something to send traffic to.
std::vector<std::size_t> wanted_plans(const ClusterPlan& plan,
                                      const std::function<bool(const Service&)>& wanted) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < plan.services.size(); ++i) {
    const ServicePlan& service = plan.services[i];
    const Service& object = plan.snapshot->services[service.service.value()];
    if (service.ready > 0 && !object.headless && wanted(object)) chosen.push_back(i);
  }
  return chosen;
}

void add_to_total(const Outcome& outcome, const Traffic& traffic, VariantTotal& total) {
  const double gigabytes = outcome.gigabytes;
  total.local += outcome.local * gigabytes;
  total.cross += outcome.cross * gigabytes;
  total.rejected += outcome.rejected * gigabytes;
  total.worst_overload = std::max(total.worst_overload, outcome.worst_overload);
  total.mean_worst_overload += outcome.worst_overload * gigabytes;
  total.cost += outcome.cost * gigabytes;
  total.gigabytes += gigabytes;
  for (std::size_t i = 0; i < traffic.place_to_place.size(); ++i) {
    total.place_to_place[i] += traffic.place_to_place[i] * gigabytes;
  }
}

void divide_by_volume(VariantTotal& total) {
  if (total.gigabytes <= 0) return;
  total.local /= total.gigabytes;
  total.cross /= total.gigabytes;
  total.rejected /= total.gigabytes;
  total.mean_worst_overload /= total.gigabytes;
}

PlanOptions options_for(const PlanOptions& options, const Variant& variant) {
  PlanOptions out = options;
  out.forced = variant.policy;
  out.forced_overload = variant.overload;
  return out;
}

}  // namespace

Outcome outcome_of(const ServicePlan& service, const Traffic& traffic, double gigabytes) {
  return {.local = traffic.local,
          .cross = traffic.cross,
          .rejected = traffic.rejected,
          .worst_overload = traffic.worst_overload,
          .cost = traffic.cost,
          .gigabytes = gigabytes,
          .cross_gigabytes = traffic.cross * gigabytes,
          .policy = service.policy,
          .why = service.why};
}

double gigabytes_of(const ClusterPlan& plan, const ServicePlan& service,
                    const TrafficVolume& volume) {
  const Service& object = plan.snapshot->services[service.service.value()];
  // Its families stand beside each other.
  auto family = std::lower_bound(
      plan.services.begin(), plan.services.end(), service.service,
      [](const ServicePlan& one, model::ServiceIndex index) { return one.service < index; });
  int ready = 0;
  for (; family != plan.services.end() && family->service == service.service; ++family)
    ready += family->ready > 0 ? 1 : 0;
  return gigabytes_of_both(*plan.snapshot, object, volume) / (ready > 1 ? 2 : 1);
}

Comparison compare_policies(model::SnapshotPtr snapshot, const PlanOptions& options,
                            const std::vector<Variant>& variants, const TrafficVolume& volume,
                            const std::function<bool(const Service&)>& wanted,
                            const std::function<void(std::size_t, std::size_t)>& progress) {
  Comparison out{.snapshot = snapshot, .variants = variants, .places = snapshot->zones.size() + 1};
  for (std::size_t v = 0; v < variants.size(); ++v) {
    ClusterPlan plan = plan_cluster(snapshot, options_for(options, variants[v]));
    const auto chosen = wanted_plans(plan, wanted);
    if (v == 0) out.services.resize(chosen.size());
    VariantTotal total;
    total.place_to_place.assign(out.places * out.places, 0);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      ServicePlan& service = plan.services[chosen[i]];
      const double gigabytes = gigabytes_of(plan, service, volume);
      const Traffic traffic = predict_or_fail(plan, service);
      out.services[i].service = service.service;
      out.services[i].family = service.family;
      out.services[i].outcomes.push_back(outcome_of(service, traffic, gigabytes));
      if (!has_failed(service)) add_to_total(out.services[i].outcomes.back(), traffic, total);
      if (progress) progress(v * chosen.size() + i + 1, variants.size() * chosen.size());
    }
    divide_by_volume(total);
    out.totals.push_back(std::move(total));
    out.breakdowns.insert(out.breakdowns.end(), plan.breakdowns.begin(), plan.breakdowns.end());
  }
  return out;
}

}  // namespace proxima::plan
