// SPDX-License-Identifier: Apache-2.0
#include "core/audit/plan_audit.h"

#include <cmath>
#include <numeric>

#include "core/plan/traffic.h"

namespace proxima::audit {
namespace {

using model::Endpoint;
using model::Snapshot;
using plan::ClusterPlan;
using plan::ServicePlan;
using policy::PolicyKind;

constexpr double kTolerance = 1e-9;

class Auditor {
 public:
  Auditor(const ClusterPlan& plan, const ServicePlan& service, std::vector<std::string>& broken)
      : plan_(plan),
        service_(service),
        endpoints_(Snapshot::part(plan.snapshot->endpoints, service.endpoints)),
        broken_(broken) {}

  void audit() {
    hints_stand_on_ready_endpoints_only();
    hinted_means_every_ready_endpoint_is();
    split_rows_sum_to_demand();
    nothing_goes_where_nobody_serves();
    balanced_keeps_its_bound();
    traffic_is_neither_lost_nor_made();
    every_node_gets_all_or_nothing();
  }

 private:
  void expect(bool holds, const char* rule) {
    if (holds) return;
    const auto& service = plan_.snapshot->services[service_.service.value()];
    broken_.push_back(std::string(plan_.snapshot->names[service.name]) + " (" +
                      std::string(policy::to_text(service_.policy)) + "): " + rule);
  }

  void hints_stand_on_ready_endpoints_only() {
    for (std::size_t e = 0; e < endpoints_.size(); ++e) {
      const auto& hint = plan_.hints[service_.endpoints.begin + e];
      const bool kept = endpoints_[e].zone_hint_count > 0;  // a slice that stays as it is
      expect(is_ready_for_hints(endpoints_[e]) || !hint.zone || kept,
             "an endpoint that is not ready has a hint");
      expect(!hint.for_own_node || endpoints_[e].node.has_value(), "a node hint without a node");
    }
  }

  void hinted_means_every_ready_endpoint_is() {
    if (!service_.hinted) return;
    for (std::size_t e = 0; e < endpoints_.size(); ++e) {
      const bool hinted = plan_.hints[service_.endpoints.begin + e].zone.has_value();
      expect(hinted || !is_ready_for_hints(endpoints_[e]), "a ready endpoint has no hint");
    }
  }

  double row_sum(std::size_t place) const {
    const auto row = plan_.split_of(service_).subspan(place * plan_.places, plan_.places);
    return std::accumulate(row.begin(), row.end(), 0.0);
  }

  void split_rows_sum_to_demand() {
    if (service_.split < 0) return;
    const auto demand = plan_.row_totals(service_);
    for (std::size_t place = 0; place < plan_.places; ++place) {
      const double sum = row_sum(place);
      const bool exact = std::abs(sum - demand[place]) < kTolerance;
      // Envoy may find no host in panic, and a required zone no endpoint; nothing else may lose
      // traffic.
      const bool may_fail = (service_.policy == PolicyKind::ZoneAware && sum < demand[place]) ||
                            (service_.policy == PolicyKind::RequireZone && sum == 0);
      expect(exact || may_fail, "a row of the split does not sum to the demand of its place");
    }
  }

  std::vector<double> ready_weight() const {
    std::vector<double> weight(plan_.places, 0);
    for (const Endpoint& endpoint : endpoints_) {
      const std::size_t place = endpoint.zone ? endpoint.zone.value() : plan_.places - 1;
      if (is_ready_for_proxy(endpoint)) weight[place] += static_cast<double>(endpoint.weight);
    }
    return weight;
  }

  void nothing_goes_where_nobody_serves() {
    if (service_.split < 0 || service_.policy != PolicyKind::Balanced) return;
    const auto weight = ready_weight();
    const auto split = plan_.split_of(service_);
    for (std::size_t i = 0; i < split.size(); ++i) {
      expect(split[i] >= 0, "a negative share");
      expect(split[i] < kTolerance || weight[i % plan_.places] > 0,
             "traffic goes to a place without a ready endpoint");
    }
  }

  void balanced_keeps_its_bound() {
    if (service_.split < 0 || service_.policy != PolicyKind::Balanced) return;
    if (std::isinf(service_.overload)) return;
    const auto weight = ready_weight();
    const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
    const auto split = plan_.split_of(service_);
    for (std::size_t to = 0; to < plan_.places; ++to) {
      double load = 0;
      for (std::size_t from = 0; from < plan_.places; ++from)
        load += split[from * plan_.places + to];
      expect(load <= (1 + service_.overload) * weight[to] / total + kTolerance,
             "a place takes more than the bound allows");
    }
  }

  void traffic_is_neither_lost_nor_made() {
    const auto traffic = plan::predict_traffic(plan_, service_);
    expect(std::abs(traffic.local + traffic.cross + traffic.rejected - 1) < kTolerance,
           "local, cross-zone and rejected traffic do not add up");
    const double served =
        std::accumulate(traffic.endpoint_load.begin(), traffic.endpoint_load.end(), 0.0);
    expect(std::abs(served + traffic.rejected - 1) < kTolerance,
           "the endpoints' loads do not add up");
    expect(traffic.worst_overload >= 0, "a negative overload");
  }

  void every_node_gets_all_or_nothing() {
    for (std::size_t n = 0; n < plan_.snapshot->nodes.size(); ++n) {
      const auto shares = plan::shares_from_node(plan_, service_, model::NodeIndex(n));
      const double sum = std::accumulate(shares.share.begin(), shares.share.end(), 0.0);
      expect(std::abs(sum - 1) < kTolerance || sum == 0 || service_.split >= 0,
             "the shares from a node do not add up");
      expect(!shares.notes.empty(), "a node's decision has no reason");
    }
  }

  const ClusterPlan& plan_;
  const ServicePlan& service_;
  std::span<const Endpoint> endpoints_;
  std::vector<std::string>& broken_;
};

}  // namespace

std::vector<std::string> audit_plan(const ClusterPlan& plan) {
  std::vector<std::string> broken;
  for (const ServicePlan& service : plan.services) Auditor(plan, service, broken).audit();
  return broken;
}

}  // namespace proxima::audit
