// SPDX-License-Identifier: Apache-2.0
// The same cluster under several policies, side by side: what stays local, who is overloaded, what
// it costs. The service's own settings are one of the columns ("as configured").
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/plan/cluster_plan.h"
#include "core/plan/traffic.h"

namespace proxima::plan {

struct Variant {
  std::string name;                          // "as-configured", "auto", "balanced 20%"
  std::optional<policy::PolicyKind> policy;  // nullopt: as configured
  std::optional<double> overload;            // θ for `balanced`
};

// Traffic of a service in GB; services without an entry get `even` of what remains unsaid.
struct TrafficVolume {
  std::map<std::pair<std::string, std::string>, double> gigabytes;  // by namespace, name
  double default_gigabytes = 1;  // a stated assumption: every other service carries this much
};

struct Outcome {
  double local = 0;
  double cross = 0;
  double rejected = 0;
  double worst_overload = 0;
  double cost = 0;       // by the price rules, per unit of traffic
  double gigabytes = 0;  // of the service
  double cross_gigabytes = 0;
  policy::PolicyKind policy = policy::PolicyKind::ClusterWide;
  policy::Note why;
};

// What is predicted of one plan of a service, whose traffic is `gigabytes`.
Outcome outcome_of(const ServicePlan& service, const Traffic& traffic, double gigabytes);
// Traffic of one family of a service, an element of `plan`. A dual-stack service has two plans: its
// traffic is taken to be halved between those that have ready endpoints.
double gigabytes_of(const ClusterPlan& plan, const ServicePlan& service,
                    const TrafficVolume& volume);

struct ComparedService {
  model::ServiceIndex service;
  IpFamily family = IpFamily::V4;
  std::vector<Outcome> outcomes;  // one a variant
};

struct VariantTotal {
  double local = 0;  // weighted by gigabytes
  double cross = 0;
  double rejected = 0;
  double worst_overload = 0;       // of any endpoint of any service
  double mean_worst_overload = 0;  // of the services' worst, weighted by gigabytes
  double cost = 0;                 // Σ price × gigabytes
  double gigabytes = 0;
  std::vector<double> place_to_place;  // gigabytes, row-major
};

struct Comparison {
  model::SnapshotPtr snapshot;
  std::vector<Variant> variants;
  std::vector<ComparedService> services;  // only those with a ready endpoint
  std::vector<VariantTotal> totals;       // one a variant; without what failed
  std::size_t places = 0;
  // As in ClusterPlan, of all variants.
  std::vector<std::shared_ptr<const std::string>> breakdowns;
};

// `wanted` chooses services; `progress` (may be empty) is called with (done, total).
Comparison compare_policies(model::SnapshotPtr snapshot, const PlanOptions& options,
                            const std::vector<Variant>& variants, const TrafficVolume& volume,
                            const std::function<bool(const model::Service&)>& wanted,
                            const std::function<void(std::size_t, std::size_t)>& progress = {});

}  // namespace proxima::plan
