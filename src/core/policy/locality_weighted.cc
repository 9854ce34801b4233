// SPDX-License-Identifier: Apache-2.0
#include "core/policy/locality_weighted.h"

#include <algorithm>

#include "base/check.h"

namespace proxima::policy {
namespace {

double effective_weight(const WeightedLocality& locality, HostView view, double overprovisioning) {
  const HostCounts& hosts = locality.hosts;
  if (hosts.total <= hosts.excluded) return 0;
  const auto serving = static_cast<double>(hosts.total - hosts.excluded);
  const double available = static_cast<double>(members(hosts, view)) / serving;
  return locality.weight * std::min(1.0, overprovisioning * available);
}

}  // namespace

std::vector<double> effective_weights(std::span<const WeightedLocality> localities, HostView view,
                                      std::uint32_t overprovisioning_factor) {
  std::vector<double> weights;
  weights.reserve(localities.size());
  for (const WeightedLocality& locality : localities) {
    weights.push_back(effective_weight(locality, view, overprovisioning_factor / 100.0));
  }
  return weights;
}

bool LocalityScheduler::later(const Entry& a, const Entry& b) {
  return a.deadline == b.deadline ? a.order > b.order : a.deadline > b.deadline;
}

void LocalityScheduler::push(Entry entry) {
  entry.order = next_order_++;
  queue_.push_back(entry);
  std::push_heap(queue_.begin(), queue_.end(), later);
}

std::optional<LocalityScheduler> LocalityScheduler::create(std::span<const double> weights,
                                                           std::uint32_t seed) {
  LocalityScheduler scheduler;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    scheduler.push({.deadline = 1 / weights[i], .order = 0, .locality = i, .weight = weights[i]});
  }
  if (scheduler.queue_.empty()) return std::nullopt;
  // Walked through, not computed: localities due at the same time take turns by when they were
  // queued, and only walking keeps that order.
  for (std::uint32_t left = seed % kSeedPicks; left > 0; --left) scheduler.pick();
  return scheduler;
}

std::size_t LocalityScheduler::pick() {
  PROXIMA_CHECK(!queue_.empty());
  std::pop_heap(queue_.begin(), queue_.end(), later);
  Entry entry = queue_.back();
  queue_.pop_back();
  const std::size_t locality = entry.locality;
  entry.deadline += 1 / entry.weight;
  push(entry);
  return locality;
}

}  // namespace proxima::policy
