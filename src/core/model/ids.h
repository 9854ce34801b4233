// SPDX-License-Identifier: Apache-2.0
// Positions of things in one Snapshot. An index means nothing without its snapshot.
#pragma once

#include <cstdint>

#include "base/string_pool.h"
#include "base/strong.h"

namespace proxima::model {

// Zones are sorted by name, so the smaller index is the smaller name: ties broken by index are
// ties broken by name.
using ZoneIndex = Index<struct ZoneTag, std::uint16_t>;
using RegionIndex = Index<struct RegionTag, std::uint16_t>;        // sorted by name too
using NodeIndex = Index<struct NodeTag, std::uint32_t>;            // sorted by name
using NamespaceIndex = Index<struct NamespaceTag, std::uint32_t>;  // sorted by name
using ServiceIndex = Index<struct ServiceTag, std::uint32_t>;      // sorted by namespace, name
using PodIndex = Index<struct PodTag, std::uint32_t>;

// A part of one of the snapshot's flat arrays.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
};

}  // namespace proxima::model
