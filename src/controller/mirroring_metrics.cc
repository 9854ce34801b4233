// SPDX-License-Identifier: Apache-2.0
#include "controller/mirroring_metrics.h"

namespace proxima::controller {
namespace {

std::string named(std::string_view name) {
  return "endpoint_slice_mirroring_controller_" + std::string(name);
}

// As upstream marks metrics that may still change.
std::string alpha(std::string_view help) { return "[ALPHA] " + std::string(help); }

telemetry::Histogram per_sync(telemetry::MetricsRegistry& registry, std::string_view name,
                              std::string_view help) {
  return registry.histogram(named(name), alpha(help), telemetry::exponential_buckets(2, 2, 15));
}

}  // namespace

MirroringMetrics::MirroringMetrics(telemetry::MetricsRegistry& registry)
    : added_(per_sync(registry, "endpoints_added_per_sync",
                      "Number of endpoints added on each Endpoints sync")),
      updated_(per_sync(registry, "endpoints_updated_per_sync",
                        "Number of endpoints updated on each Endpoints sync")),
      removed_(per_sync(registry, "endpoints_removed_per_sync",
                        "Number of endpoints removed on each Endpoints sync")),
      skipped_(per_sync(registry, "addresses_skipped_per_sync",
                        "Number of addresses skipped on each Endpoints sync due to being invalid "
                        "or exceeding MaxEndpointsPerSubset")),
      duration_(registry.histogram(named("endpoints_sync_duration"),
                                   alpha("Duration of syncEndpoints() in seconds"),
                                   telemetry::exponential_buckets(0.001, 2, 15))),
      endpoints_(registry.gauge(named("endpoints_desired"), alpha("Number of endpoints desired"))),
      slices_(registry.gauge(named("num_endpoint_slices"), alpha("Number of EndpointSlices"))),
      slices_desired_(registry.gauge(
          named("desired_endpoint_slices"),
          alpha("Number of EndpointSlices that would exist with perfect endpoint allocation"))),
      changes_(registry.counters(
          {named("changes"), alpha("Number of EndpointSlice changes"), {"operation"}})),
      internal_errors_(registry.counter("proxima_mirroring_internal_errors_total",
                                        "Updates of mirrored Endpoints that an internal error "
                                        "stopped")) {}

void MirroringMetrics::synced(std::chrono::nanoseconds took) const {
  duration_.observe(std::chrono::duration<double>(took).count());
}

void MirroringMetrics::show_totals() const {
  endpoints_.set(static_cast<double>(total_.endpoints));
  slices_.set(static_cast<double>(total_.slices));
  slices_desired_.set(static_cast<double>(total_.slices_desired));
}

void MirroringMetrics::mirrored(const std::string& key, const slices::MirrorDraft& draft) {
  Share share;
  std::size_t added = 0;
  std::size_t removed = 0;
  for (const slices::FamilyDraft& family : draft.families) {
    added += family.endpoints_added;
    removed += family.endpoints_removed;
    share.endpoints += family.endpoints_desired;
    share.slices += family.creates.size() + family.updates.size() + family.unchanged.size();
    share.slices_desired += family.slices_desired;
  }
  added_.observe(static_cast<double>(added));
  updated_.observe(static_cast<double>(draft.endpoints_updated));
  removed_.observe(static_cast<double>(removed));
  skipped_.observe(static_cast<double>(draft.addresses_skipped));
  const std::lock_guard guard(mutex_);
  Share& before = shares_[key];
  total_.endpoints += share.endpoints - before.endpoints;
  total_.slices += share.slices - before.slices;
  total_.slices_desired += share.slices_desired - before.slices_desired;
  before = share;
  show_totals();
}

void MirroringMetrics::forget(const std::string& key) {
  const std::lock_guard guard(mutex_);
  const auto found = shares_.find(key);
  if (found == shares_.end()) return;
  total_.endpoints -= found->second.endpoints;
  total_.slices -= found->second.slices;
  total_.slices_desired -= found->second.slices_desired;
  shares_.erase(found);
  show_totals();
}

void MirroringMetrics::forget_all() {
  const std::lock_guard guard(mutex_);
  shares_.clear();
  total_ = {};
  show_totals();
}

void MirroringMetrics::broke_down() const { internal_errors_.add(); }

void MirroringMetrics::wrote(SliceOperation operation) const {
  changes_.with({std::string(to_text(operation))}).add();
}

}  // namespace proxima::controller
