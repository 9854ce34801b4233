// SPDX-License-Identifier: Apache-2.0
#include "core/policy/load_aware_pick.h"

#include <limits>

#include "base/split_mix.h"

namespace proxima::policy {
namespace {

double weight_of(const LocalityWeights& published, Locality locality) {
  const auto found = published.weights.find(locality);
  return found == published.weights.end() ? 0 : found->second;
}

std::size_t weighted_bucket(std::span<const LiveBucket> live, const LocalityWeights* published,
                            std::uint64_t draw) {
  if (live.size() == 1 || published == nullptr) return 0;
  double total = 0;
  for (const LiveBucket& bucket : live) total += weight_of(*published, bucket.locality);
  if (!(total > 0)) return 0;
  constexpr auto kHighest = static_cast<double>(std::numeric_limits<std::uint64_t>::max());
  const double point = static_cast<double>(decorrelated(draw)) / kHighest * total;
  double sum = 0;
  for (std::size_t i = 0; i < live.size(); ++i) {
    sum += weight_of(*published, live[i].locality);
    if (sum > point) return i;
  }
  return live.size() - 1;
}

}  // namespace

std::optional<std::size_t> load_aware_pick(std::span<const LiveBucket> live,
                                           const LocalityWeights* published, std::uint64_t draw) {
  if (live.empty()) return std::nullopt;
  const std::size_t wanted = weighted_bucket(live, published, draw);
  for (std::size_t step = 0; step < live.size(); ++step) {
    const std::size_t bucket = (wanted + step) % live.size();
    if (live[bucket].hosts > 0) return bucket;
  }
  return std::nullopt;
}

std::optional<ZoneCounter> load_aware_counter(std::size_t bucket, const LocalityWeights* published,
                                              bool has_local) {
  if (published == nullptr || !has_local) return std::nullopt;
  if (bucket != 0) return ZoneCounter::RoutingCrossZone;
  return published->all_local ? ZoneCounter::RoutingAllDirectly : ZoneCounter::RoutingSampled;
}

std::uint64_t decorrelated(std::uint64_t draw) { return SplitMix(draw).next(); }

}  // namespace proxima::policy
