// SPDX-License-Identifier: Apache-2.0
#include "proxy/proxy_metrics.h"

#include <array>
#include <map>
#include <set>
#include <string>

namespace proxima::proxy {
namespace {

using telemetry::MetricName;
using telemetry::MetricsRegistry;

MetricName upstream(std::string_view name, std::string_view help,
                    std::vector<std::string> labels = {"ip_family"}) {
  return {"kubeproxy_" + std::string(name), "[ALPHA] " + std::string(help), std::move(labels)};
}

std::vector<double> latency_buckets() { return telemetry::exponential_buckets(0.001, 2, 15); }

// To a quarter of a second at first, and to half a minute in the end.
std::vector<double> programming_buckets() {
  std::vector<double> bounds = {0.25, 0.5};
  for (int seconds = 1; seconds < 60; ++seconds) bounds.push_back(seconds);
  for (int seconds = 60; seconds < 120; seconds += 5) bounds.push_back(seconds);
  for (int seconds = 120; seconds <= 300; seconds += 30) bounds.push_back(seconds);
  return bounds;
}

double seconds(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}
double unix_seconds(WallTime time) { return seconds(time.time_since_epoch()); }

std::string text(IpFamily family) { return std::string(to_text(family)); }

}  // namespace

struct ProxyMetrics::Upstream {
  explicit Upstream(MetricsRegistry& registry)
      : duration(registry.histograms(
            upstream("sync_proxy_rules_duration_seconds", "SyncProxyRules latency in seconds"),
            latency_buckets())),
        full_duration(
            registry.histograms(upstream("sync_full_proxy_rules_duration_seconds",
                                         "SyncProxyRules latency in seconds for full resyncs"),
                                latency_buckets())),
        partial_duration(
            registry.histograms(upstream("sync_partial_proxy_rules_duration_seconds",
                                         "SyncProxyRules latency in seconds for partial resyncs"),
                                latency_buckets())),
        last(registry.gauges(upstream("sync_proxy_rules_last_timestamp_seconds",
                                      "The last time proxy rules were successfully synced"))),
        last_queued(registry.gauges(upstream("sync_proxy_rules_last_queued_timestamp_seconds",
                                             "The last time a sync of proxy rules was queued"))),
        programming(
            registry.histograms(upstream("network_programming_duration_seconds",
                                         "In Cluster Network Programming Latency in seconds"),
                                programming_buckets())),
        no_local(registry.gauges(
            upstream("sync_proxy_rules_no_local_endpoints_total",
                     "Number of services with a Local traffic policy and no endpoints",
                     {"traffic_policy", "ip_family"}))),
        failures(registry.counters(upstream("sync_proxy_rules_nftables_sync_failures_total",
                                            "Cumulative proxy nftables sync failures"))),
        cleanup_failures(
            registry.counters(upstream("sync_proxy_rules_nftables_cleanup_failures_total",
                                       "Cumulative proxy nftables cleanup failures"))),
        flow_duration(
            registry.histograms(upstream("conntrack_reconciler_sync_duration_seconds",
                                         "ReconcileConntrackFlowsLatency latency in seconds"),
                                latency_buckets())),
        flows(registry.counters(
            upstream("conntrack_reconciler_deleted_entries_total",
                     "Cumulative conntrack flows deleted by conntrack reconciler"))),
        healthz(registry.counters(
            upstream("proxy_healthz_total", "Cumulative proxy healthz HTTP status", {"code"}))),
        livez(registry.counters(
            upstream("proxy_livez_total", "Cumulative proxy livez HTTP status", {"code"}))),
        endpoints_pending(gauge(registry, "sync_proxy_rules_endpoint_changes_pending",
                                "Pending proxy rules Endpoint changes")),
        endpoints_total(counter(registry, "sync_proxy_rules_endpoint_changes_total",
                                "Cumulative proxy rules Endpoint changes")),
        services_pending(gauge(registry, "sync_proxy_rules_service_changes_pending",
                               "Pending proxy rules Service changes")),
        services_total(counter(registry, "sync_proxy_rules_service_changes_total",
                               "Cumulative proxy rules Service changes")) {}

  static telemetry::Gauge gauge(MetricsRegistry& registry, std::string_view name,
                                std::string_view help) {
    const MetricName full = upstream(name, help, {});
    return registry.gauge(full.name, full.help);
  }
  static telemetry::Counter counter(MetricsRegistry& registry, std::string_view name,
                                    std::string_view help) {
    const MetricName full = upstream(name, help, {});
    return registry.counter(full.name, full.help);
  }

  telemetry::HistogramFamily duration;
  telemetry::HistogramFamily full_duration;
  telemetry::HistogramFamily partial_duration;
  telemetry::GaugeFamily last;
  telemetry::GaugeFamily last_queued;
  telemetry::HistogramFamily programming;
  telemetry::GaugeFamily no_local;
  telemetry::CounterFamily failures;
  telemetry::CounterFamily cleanup_failures;
  telemetry::HistogramFamily flow_duration;
  telemetry::CounterFamily flows;
  telemetry::CounterFamily healthz;
  telemetry::CounterFamily livez;
  telemetry::Gauge endpoints_pending;
  telemetry::Counter endpoints_total;
  telemetry::Gauge services_pending;
  telemetry::Counter services_total;
};

struct ProxyMetrics::Own {
  explicit Own(MetricsRegistry& registry)
      : reasons(registry.gauges({"proxima_route_reason",
                                 "Service ports whose traffic goes where it goes for this reason",
                                 {"reason", "ip_family"}})),
        ports(registry.gauges(
            {"proxima_route_ports", "Service ports that are routed on this node", {"ip_family"}})),
        backends(registry.gauges({"proxima_route_backends",
                                  "Backends of cluster-wide traffic, of all service ports",
                                  {"ip_family"}})),
        changes(registry.counters({"proxima_route_changes_total",
                                   "Changes that were written, by what was changed",
                                   {"object", "ip_family"}})),
        repairs(registry.counters(
            {"proxima_repairs_total",
             "Things that somebody else had changed in the kernel and that were put right",
             {"ip_family"}})),
        unsupported(registry.counters(
            {"proxima_family_unsupported_total",
             "Attempts to route a family that failed because the kernel lacks something for it",
             {"ip_family"}})),
        breakdowns(
            registry.counter("proxima_route_internal_errors_total",
                             "Updates of a Service's routes that an internal error stopped")),
        broken(registry.gauge("proxima_route_internal_error_services",
                              "Services that keep old routes because of an internal error")) {}

  void show(IpFamily family, const RouteCounts& counts) {
    std::map<std::string, std::uint64_t> by_code;
    for (const std::string& code : seen[static_cast<std::size_t>(family)]) by_code[code] = 0;
    for (const auto& [reason, count] : counts.ports_by_reason)
      by_code[std::string(policy::text_of(reason).code)] = count;
    for (const auto& [code, count] : by_code) {
      reasons.with({code, text(family)}).set(static_cast<double>(count));
      seen[static_cast<std::size_t>(family)].insert(code);  // a reason once seen stays, with 0
    }
    ports.with({text(family)}).set(static_cast<double>(counts.ports));
    backends.with({text(family)}).set(static_cast<double>(counts.backends));
  }

  telemetry::GaugeFamily reasons;
  telemetry::GaugeFamily ports;
  telemetry::GaugeFamily backends;
  telemetry::CounterFamily changes;
  telemetry::CounterFamily repairs;
  telemetry::CounterFamily unsupported;
  telemetry::Counter breakdowns;
  telemetry::Gauge broken;
  std::array<std::set<std::string>, 2> seen;  // by family
};

ProxyMetrics::ProxyMetrics(MetricsRegistry& registry)
    : upstream_(std::make_unique<Upstream>(registry)), own_(std::make_unique<Own>(registry)) {}
ProxyMetrics::~ProxyMetrics() = default;

void ProxyMetrics::queued(IpFamily family, WallTime now) {
  upstream_->last_queued.with({text(family)}).set(unix_seconds(now));
}

void ProxyMetrics::wrote(IpFamily family, SyncDepth depth, Duration duration) {
  const bool full = depth == SyncDepth::Everything;
  upstream_->duration.with({text(family)}).observe(seconds(duration));
  (full ? upstream_->full_duration : upstream_->partial_duration)
      .with({text(family)})
      .observe(seconds(duration));
}

void ProxyMetrics::succeeded(IpFamily family, WallTime now) {
  upstream_->last.with({text(family)}).set(unix_seconds(now));
}

void ProxyMetrics::failed(IpFamily family) { upstream_->failures.with({text(family)}).add(); }

void ProxyMetrics::unsupported(IpFamily family) { own_->unsupported.with({text(family)}).add(); }

void ProxyMetrics::programmed(IpFamily family, Duration latency) {
  upstream_->programming.with({text(family)}).observe(seconds(latency));
}

void ProxyMetrics::repaired(IpFamily family, std::size_t things) {
  own_->repairs.with({text(family)}).add(static_cast<double>(things));
}

void ProxyMetrics::repair_failed(IpFamily family) {
  upstream_->cleanup_failures.with({text(family)}).add();
}

void ProxyMetrics::changed(IpFamily family, const RouteChanges& changes) {
  const auto add = [&](const char* object, std::size_t count) {
    if (count > 0) own_->changes.with({object, text(family)}).add(static_cast<double>(count));
  };
  add("port", changes.ports.size());
  add("frontend", changes.frontends.size());
}

void ProxyMetrics::broke_down() { own_->breakdowns.add(); }

void ProxyMetrics::show_broken(std::size_t services) {
  own_->broken.set(static_cast<double>(services));
}

void ProxyMetrics::service_changed() { upstream_->services_total.add(); }
void ProxyMetrics::slice_changed() { upstream_->endpoints_total.add(); }

void ProxyMetrics::pending(std::size_t services, std::size_t slices) {
  upstream_->services_pending.set(static_cast<double>(services));
  upstream_->endpoints_pending.set(static_cast<double>(slices));
}

void ProxyMetrics::cleaned_flows(IpFamily family, Duration duration, std::size_t forgotten) {
  upstream_->flow_duration.with({text(family)}).observe(seconds(duration));
  upstream_->flows.with({text(family)}).add(static_cast<double>(forgotten));
}

void ProxyMetrics::probed(Probe probe, int status) {
  (probe == Probe::Healthz ? upstream_->healthz : upstream_->livez)
      .with({std::to_string(status)})
      .add();
}

void ProxyMetrics::show(IpFamily family, const RouteCounts& counts) {
  own_->show(family, counts);
  upstream_->no_local.with({"internal", text(family)})
      .set(static_cast<double>(counts.no_local_internal));
  upstream_->no_local.with({"external", text(family)})
      .set(static_cast<double>(counts.no_local_external));
}

}  // namespace proxima::proxy
