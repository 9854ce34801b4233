// SPDX-License-Identifier: Apache-2.0
// The pick of Envoy's load-aware locality policy: the published weights and a draw give the
// locality of one request. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "core/policy/host_set.h"
#include "core/policy/zone_counters.h"

namespace proxima::policy {

// Weights by identity: between two ticks buckets may come, go and change places.
struct LocalityWeights {
  std::map<Locality, double> weights;
  bool all_local = false;
};

// A bucket as the worker sees it at the moment of a request.
struct LiveBucket {
  Locality locality;
  std::uint64_t hosts = 0;  // that the request may use
};

// The bucket of one request, by the same draw that chose its priority. `published` may be null:
// nothing yet. None when no bucket has a host.
std::optional<std::size_t> load_aware_pick(std::span<const LiveBucket> live,
                                           const LocalityWeights* published, std::uint64_t draw);

// What a pick outside panic counts; none without published weights or without a local bucket.
std::optional<ZoneCounter> load_aware_counter(std::size_t bucket, const LocalityWeights* published,
                                              bool has_local);

// Hashes a draw (SplitMix64). The draw modulo 100 has already chosen the priority, and the locality
// must not depend on that choice.
std::uint64_t decorrelated(std::uint64_t draw);

}  // namespace proxima::policy
