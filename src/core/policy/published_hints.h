// SPDX-License-Identifier: Apache-2.0
// Between equally good allotments of whole endpoints the one nearest to what is published, so that
// hints move, and slices are written, only where that gains something.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace proxima::policy {

// No hint is published for the endpoint, or one that means nothing any more.
inline constexpr std::uint16_t kNotPublished = 0xffff;

struct PublishedHints {
  std::span<const std::uint16_t> place;  // by endpoint: where it stands; the last one is "no zone"
  std::span<const float> weight;         // by endpoint; empty: alike
  std::span<const std::uint16_t> zone;   // by endpoint: the zone that is published, kNotPublished
};

// Reusable working memory.
struct PublishedHintsWorkspace {
  std::vector<std::pair<std::uint16_t, float>> groups;  // place and weight
  std::vector<std::uint32_t> group_of;                  // by endpoint
  std::vector<std::uint32_t> quota;                     // group × zone
  std::vector<unsigned char> settled;                   // by endpoint
};

// Who of the endpoints of one place and weight is for which zone changes nothing for anybody, so
// they exchange their zones until as many as possible have the one that is published. Where not all
// can, later endpoints go first: those of slices that are not written otherwise.
void keep_published(const PublishedHints& published, PublishedHintsWorkspace& workspace,
                    std::span<std::uint16_t> hint_of);

// What leaves its zone with such hints, times its price. By zone: demand. `price` is row-major by
// place, as for balanced_hints; empty: 1 for every other place. Infinite when a zone with demand
// has no endpoint.
double cost_of_hints(std::span<const std::uint16_t> hint_of, const PublishedHints& endpoints,
                     std::span<const double> demand, std::span<const double> price);

}  // namespace proxima::policy
