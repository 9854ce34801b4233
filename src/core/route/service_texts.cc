// SPDX-License-Identifier: Apache-2.0
#include "core/route/service_texts.h"

#include <algorithm>
#include <optional>

namespace proxima::route {
namespace {

bool speaks_of_service(const SliceTexts& slice) {
  if (!slice.split.empty()) return true;
  const SliceRouting* routing = slice.routing;
  return routing != nullptr && (routing->ignores_health || routing->requires_zone ||
                                !routing->keys.empty() || !routing->rest.empty());
}

// None when it cannot be read.
std::optional<ZoneSplit> split_of(const SliceTexts& slice) {
  if (slice.routing != nullptr && (slice.routing->requires_zone || !slice.routing->rest.empty()))
    return slice.routing->rest;
  if (slice.split.empty()) return ZoneSplit();
  auto split = parse_zone_split(slice.split);
  if (!split) return std::nullopt;
  return std::move(*split);
}

}  // namespace

ServiceTexts read_service_texts(std::vector<SliceTexts> slices) {
  std::erase_if(slices, [](const SliceTexts& one) { return !speaks_of_service(one); });
  std::stable_sort(slices.begin(), slices.end(),
                   [](const SliceTexts& a, const SliceTexts& b) { return a.version > b.version; });
  ServiceTexts out;
  for (const SliceTexts& slice : slices) {
    auto split = split_of(slice);
    if (!split) continue;
    out.has_split = !split->empty();
    out.split = std::move(*split);
    if (slice.routing != nullptr) {
      out.keys = slice.routing->keys;
      out.ignores_health = slice.routing->ignores_health;
      out.requires_zone = slice.routing->requires_zone;
      out.failing = slice.routing->failing;
    }
    return out;
  }
  if (!slices.empty()) out.unreadable = slices.front().slice;
  return out;
}

}  // namespace proxima::route
