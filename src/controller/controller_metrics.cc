// SPDX-License-Identifier: Apache-2.0
#include "controller/controller_metrics.h"

#include <map>
#include <set>

#include "controller/upstream_mode.h"
#include "kube/service_record.h"

namespace proxima::controller {
namespace {

using telemetry::MetricsRegistry;

constexpr std::string_view kPrefix = "endpoint_slice_controller_";

std::string upstream_name(std::string_view name) {
  return std::string(kPrefix) + std::string(name);
}

// "random" is KEP-2433's word for what no policy decides.
std::string approach_of(policy::PolicyKind policy) {
  if (policy == policy::PolicyKind::ClusterWide) return "random";
  return std::string(policy::to_text(policy));
}

}  // namespace

struct ControllerMetrics::Upstream {
  explicit Upstream(MetricsRegistry& registry)
      : added(registry.histogram(upstream_name("endpoints_added_per_sync"),
                                 "Number of endpoints added on each Service sync",
                                 telemetry::exponential_buckets(2, 2, 15))),
        removed(registry.histogram(upstream_name("endpoints_removed_per_sync"),
                                   "Number of endpoints removed on each Service sync",
                                   telemetry::exponential_buckets(2, 2, 15))),
        endpoints_desired(
            registry.gauge(upstream_name("endpoints_desired"), "Number of endpoints desired")),
        slices(registry.gauge(upstream_name("num_endpoint_slices"), "Number of EndpointSlices")),
        slices_desired(registry.gauge(
            upstream_name("desired_endpoint_slices"),
            "Number of EndpointSlices that would exist with perfect endpoint allocation")),
        changes(registry.counters(
            {upstream_name("changes"), "Number of EndpointSlice changes", {"operation"}})),
        changed_per_sync(
            registry.histograms({upstream_name("endpointslices_changed_per_sync"),
                                 "Number of EndpointSlices changed on each Service sync",
                                 {"approach", "topology", "traffic_distribution"}},
                                telemetry::default_buckets())),
        syncs(registry.counters(
            {upstream_name("syncs"), "Number of EndpointSlice syncs", {"result"}})),
        by_distribution(registry.gauges({upstream_name("services_count_by_traffic_distribution"),
                                         "Number of Services using some specific "
                                         "trafficDistribution",
                                         {"traffic_distribution"}})) {}

  void show(const DecisionBook::Entries& entries) {
    double endpoints = 0;
    double present = 0;
    double wanted = 0;
    std::map<std::string, double> distributions;
    for (const std::string& known : seen_distributions) distributions[known] = 0;
    for (const auto& [key, entry] : entries) {
      endpoints += static_cast<double>(entry->endpoints);
      present += static_cast<double>(entry->slices);
      wanted += static_cast<double>(entry->slices_wanted);
      if (!entry->traffic_distribution.empty()) distributions[entry->traffic_distribution] += 1;
    }
    endpoints_desired.set(endpoints);
    slices.set(present);
    slices_desired.set(wanted);
    for (const auto& [value, count] : distributions) {
      by_distribution.with({value}).set(count);
      seen_distributions.insert(value);  // a value once seen stays, with 0
    }
  }

  telemetry::Histogram added;
  telemetry::Histogram removed;
  telemetry::Gauge endpoints_desired;
  telemetry::Gauge slices;
  telemetry::Gauge slices_desired;
  telemetry::CounterFamily changes;
  telemetry::HistogramFamily changed_per_sync;
  telemetry::CounterFamily syncs;
  telemetry::GaugeFamily by_distribution;
  std::set<std::string> seen_distributions;
};

struct ControllerMetrics::Decisions {
  explicit Decisions(MetricsRegistry& registry)
      : policy(registry.gauges({"proxima_service_policy_info",
                                "The policy that decides for a Service, and the reason",
                                {"namespace", "service", "address_type", "policy", "reason"}})),
        hinted(registry.gauges({"proxima_service_hinted_endpoints",
                                "Ready endpoints of a Service that are published for a zone",
                                {"namespace", "service", "address_type", "zone"}})),
        overload(registry.gauges(
            {"proxima_service_predicted_overload_ratio",
             "Predicted load of a Service's endpoints in a zone over their fair share, minus 1",
             {"namespace", "service", "address_type", "zone"}})),
        local_share(
            registry.gauges({"proxima_service_predicted_local_share_ratio",
                             "Share of a Service's traffic that is predicted to stay in its zone",
                             {"namespace", "service", "address_type"}})),
        refused(registry.gauges({"proxima_refused_services",
                                 "Services that ask for something that was not accepted",
                                 {"reason"}})),
        breakdowns(registry.counter("proxima_service_internal_errors_total",
                                    "Updates of Services that an internal error stopped")),
        broken(registry.gauge("proxima_internal_error_services",
                              "Services whose last update an internal error stopped")) {}

  void show(const std::string& key, const slices::FamilyDecision& family) {
    const std::string ns = key.substr(0, key.find('/'));
    const std::string name = key.substr(key.find('/') + 1);
    const std::string type(kube::to_text(family.family));
    const std::string reason(policy::text_of(family.reason).code);
    policy.with({ns, name, type, std::string(policy::to_text(family.policy)), reason}).set(1);
    if (family.policy == policy::PolicyKind::ClusterWide) return;
    local_share.with({ns, name, type}).set(family.local_share);
    for (const slices::ZoneFigures& zone : family.zones) {
      hinted.with({ns, name, type, zone.zone}).set(zone.hinted);
      overload.with({ns, name, type, zone.zone}).set(zone.predicted_overload);
    }
  }
  void show(const DecisionBook::Entries& entries) {
    for (const telemetry::GaugeFamily* family :
         {&policy, &hinted, &overload, &local_share, &refused})
      family->clear();
    std::map<std::string, double> refusals;
    double stopped = 0;
    for (const auto& [key, entry] : entries) {
      stopped += entry->broke_down ? 1 : 0;
      for (const slices::FamilyDecision& family : entry->decision.families) show(key, family);
      if (!entry->decision.not_accepted.empty()) refusals[entry->decision.not_accepted] += 1;
    }
    for (const auto& [reason, count] : refusals) refused.with({reason}).set(count);
    broken.set(stopped);
  }

  telemetry::GaugeFamily policy;
  telemetry::GaugeFamily hinted;
  telemetry::GaugeFamily overload;
  telemetry::GaugeFamily local_share;
  telemetry::GaugeFamily refused;
  telemetry::Counter breakdowns;
  telemetry::Gauge broken;
  std::uint64_t shown = 0;  // the book's revision
};

ControllerMetrics::ControllerMetrics(MetricsRegistry& registry)
    : upstream_(std::make_unique<Upstream>(registry)),
      decisions_(std::make_unique<Decisions>(registry)) {}

ControllerMetrics::~ControllerMetrics() = default;

void ControllerMetrics::synced(SyncResult result) {
  constexpr const char* kTexts[] = {"success", "stale", "error"};
  upstream_->syncs.with({kTexts[static_cast<std::size_t>(result)]}).add();
}

void ControllerMetrics::broke_down() { decisions_->breakdowns.add(); }

void ControllerMetrics::wrote(SliceOperation operation) {
  upstream_->changes.with({std::string(to_text(operation))}).add();
}

void ControllerMetrics::packed(const slices::FamilyDraft& draft) {
  upstream_->added.observe(static_cast<double>(draft.endpoints_added));
  upstream_->removed.observe(static_cast<double>(draft.endpoints_removed));
}

void ControllerMetrics::changed(const kube::ServiceRecord& service, policy::PolicyKind policy,
                                std::size_t slices) {
  upstream_->changed_per_sync
      .with({approach_of(policy), policy == policy::PolicyKind::Auto ? "Auto" : "Disabled",
             std::string(followed_traffic_distribution(service))})
      .observe(static_cast<double>(slices));
}

void ControllerMetrics::show(const DecisionBook& book) {
  if (decisions_->shown == book.revision()) return;
  decisions_->shown = book.revision();
  const DecisionBook::Entries entries = book.all();
  upstream_->show(entries);
  decisions_->show(entries);
}

}  // namespace proxima::controller
