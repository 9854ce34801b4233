// SPDX-License-Identifier: Apache-2.0
#include "core/policy/load_aware_tick.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace proxima::policy {
namespace {

// One bucket, for one view of its hosts.
struct BucketLoad {
  double hosts = 0;
  double utilization = 0;
  double weight = 0;
  bool stale = false;  // nobody reports any more; the last known value is carried on
};

bool is_in(const LoadAwareHost& host, HostView view) {
  if (view == HostView::All) return true;
  return host.health == (view == HostView::Healthy ? HostHealth::Healthy : HostHealth::Degraded);
}

bool is_valid(const LoadAwareHost& host, const LoadAwareParameters& parameters,
              std::chrono::milliseconds now) {
  if (!host.sample) return false;
  const auto expiration = parameters.weight_expiration;
  return expiration.count() == 0 || now - host.sample->at <= expiration;
}

// Plain mean of the valid samples; host weights are not looked at.
std::optional<double> average(const LoadAwareBucket& bucket, HostView view,
                              const LoadAwareParameters& parameters,
                              std::chrono::milliseconds now) {
  double sum = 0;
  std::size_t valid = 0;
  for (const LoadAwareHost& host : bucket.hosts) {
    if (!is_in(host, view) || !is_valid(host, parameters, now)) continue;
    sum += host.sample->utilization;
    ++valid;
  }
  if (valid == 0) return std::nullopt;
  return sum / static_cast<double>(valid);
}

// A locality that never reported counts as idle but is not stale: it has nothing to carry on.
BucketLoad smoothed(std::optional<double> average, const LocalityLoads& before, Locality locality,
                    double alpha) {
  const auto known = before.find(locality);
  if (average && known == before.end()) return {.utilization = *average};
  if (average) return {.utilization = alpha * *average + (1 - alpha) * known->second};
  if (known != before.end()) return {.utilization = known->second, .stale = true};
  return {};
}

double sum_of(std::span<const BucketLoad> loads, double BucketLoad::*field) {
  double sum = 0;
  for (const BucketLoad& load : loads) sum += load.*field;
  return sum;
}

void set_headroom_weights(std::span<BucketLoad> loads) {
  for (BucketLoad& load : loads) {
    load.weight = load.stale ? load.hosts : load.hosts * std::max(0.0, 1 - load.utilization);
  }
}

// Everything stays at home while home is at most `slack` hotter than the average remote host.
bool prefers_local(std::span<const BucketLoad> loads, double slack) {
  double weighted = 0;
  for (const BucketLoad& remote : loads.subspan(1)) weighted += remote.utilization * remote.hosts;
  const double target = weighted / sum_of(loads.subspan(1), &BucketLoad::hosts);
  return loads.front().utilization <= target + slack;
}

// Moves weight from home so that the remotes get at least `fraction`, by their host counts.
bool probe_remotes(std::span<BucketLoad> loads, double fraction) {
  const double total = sum_of(loads, &BucketLoad::weight);
  BucketLoad& local = loads.front();
  const double missing = fraction * total - (total - local.weight);
  if (!(missing > 0)) return false;
  const double moved = std::min(missing, local.weight);
  const double remote_hosts = sum_of(loads.subspan(1), &BucketLoad::hosts);
  local.weight -= moved;
  for (BucketLoad& remote : loads.subspan(1)) remote.weight += moved * remote.hosts / remote_hosts;
  return true;
}

struct Weighing {
  bool all_local = false;
  LoadAwareCounters counters;
};

Weighing weigh_with_local(std::span<BucketLoad> loads, const LoadAwareParameters& parameters) {
  Weighing result;
  if (!(sum_of(loads.subspan(1), &BucketLoad::hosts) > 0)) return result;
  if (loads.front().hosts > 0) {
    result.all_local = prefers_local(loads, parameters.variance_threshold);
    result.counters.local_preferred = result.all_local;
    result.counters.spill_active = !result.all_local;
  }
  if (result.all_local) {
    for (BucketLoad& load : loads) load.weight = 0;
    loads.front().weight = 1;
  }
  if (parameters.remote_probe_fraction > 0 &&
      probe_remotes(loads, parameters.remote_probe_fraction)) {
    result.all_local = false;
    result.counters.probe_active = true;
  }
  return result;
}

Weighing weigh(std::span<BucketLoad> loads, bool has_local, const LoadAwareParameters& parameters) {
  set_headroom_weights(loads);
  if (sum_of(loads, &BucketLoad::weight) > 0) {
    return has_local ? weigh_with_local(loads, parameters) : Weighing{};
  }
  // Without headroom anywhere, size is all that is left to go by; home gets no preference.
  for (BucketLoad& load : loads) load.weight = load.hosts;
  Weighing result;
  result.counters.all_overloaded = sum_of(loads, &BucketLoad::hosts) > 0;
  return result;
}

struct ViewTick {
  LocalityLoads memory;
  LocalityWeights published;
  LoadAwareCounters counters;
};

ViewTick tick_view(const LoadAwareHosts& hosts, HostView view, const LocalityLoads& before,
                   const LoadAwareParameters& parameters, std::chrono::milliseconds now) {
  ViewTick tick;
  std::vector<BucketLoad> loads;
  for (const LoadAwareBucket& bucket : hosts.buckets) {
    const auto mean = average(bucket, view, parameters, now);
    BucketLoad load = smoothed(mean, before, bucket.locality, parameters.ewma_alpha);
    if (bucket.hosts.empty()) load = {};
    load.hosts = static_cast<double>(std::count_if(bucket.hosts.begin(), bucket.hosts.end(),
                                                   [&](const auto& h) { return is_in(h, view); }));
    if (mean || load.stale) tick.memory.emplace(bucket.locality, load.utilization);
    loads.push_back(load);
  }
  const Weighing weighing = weigh(loads, hosts.has_local, parameters);
  tick.counters = weighing.counters;
  tick.published.all_local = weighing.all_local;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    tick.counters.stale_localities += loads[i].stale ? 1 : 0;
    if (hosts.buckets[i].hosts.empty()) continue;  // it has no identity to publish under
    tick.published.weights.emplace(hosts.buckets[i].locality, loads[i].weight);
  }
  return tick;
}

void merge(const LoadAwareCounters& from, HostView view, LoadAwareCounters& into) {
  into.all_overloaded |= from.all_overloaded;
  into.local_preferred |= from.local_preferred;
  into.spill_active |= from.spill_active;
  into.probe_active |= from.probe_active;
  if (view == HostView::All) into.stale_localities += from.stale_localities;
}

}  // namespace

LoadAwareTick load_aware_tick(std::span<const LoadAwareHosts> priorities,
                              std::span<const LoadAwareMemory> before,
                              const LoadAwareParameters& parameters,
                              std::chrono::milliseconds now) {
  constexpr HostView kViews[] = {HostView::Healthy, HostView::Degraded, HostView::All};
  LoadAwareTick tick{.memory = std::vector<LoadAwareMemory>(priorities.size()),
                     .published = std::vector<PublishedWeights>(priorities.size()),
                     .counters = {}};
  for (std::size_t i = 0; i < priorities.size(); ++i) {
    for (const HostView view : kViews) {
      const auto v = static_cast<std::size_t>(view);
      ViewTick of_view = tick_view(
          priorities[i], view, i < before.size() ? before[i][v] : LocalityLoads{}, parameters, now);
      tick.memory[i][v] = std::move(of_view.memory);
      tick.published[i][v] = std::move(of_view.published);
      merge(of_view.counters, view, tick.counters);
    }
  }
  return tick;
}

}  // namespace proxima::policy
