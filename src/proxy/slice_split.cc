// SPDX-License-Identifier: Apache-2.0
#include "proxy/slice_split.h"

#include <algorithm>

namespace proxima::proxy {
namespace {

struct WrittenSplit {
  kube::Version version = 0;
  Text text;
  Text slice;
};

// The last one first.
std::vector<WrittenSplit> written_splits(std::span<const SliceRef> slices, IpFamily family) {
  using kube::AddressType;
  const AddressType wanted = family == IpFamily::V4 ? AddressType::IPv4 : AddressType::IPv6;
  std::vector<WrittenSplit> splits;
  for (const SliceRef& slice : slices) {
    if (slice->address_type != wanted) continue;
    Text text = kube::label(slice->annotations, plan::kZoneSplitAnnotation);
    if (!text.view().empty())
      splits.push_back({slice->meta.version, std::move(text), slice->meta.name});
  }
  std::stable_sort(splits.begin(), splits.end(), [](const WrittenSplit& a, const WrittenSplit& b) {
    return a.version > b.version;
  });
  return splits;
}

}  // namespace

SliceSplit slice_split(std::span<const SliceRef> slices, IpFamily family, const NodeView& node) {
  const std::string_view zone = node.zone.view().empty() ? plan::kNoZoneInSplit : node.zone.view();
  const std::vector<WrittenSplit> splits = written_splits(slices, family);
  for (const WrittenSplit& written : splits) {
    auto split = plan::parse_zone_split(written.text.view());
    if (!split) continue;
    const auto row = std::find_if(split->begin(), split->end(),
                                  [&](const plan::ZoneRow& one) { return one.zone == zone; });
    SliceSplit found{.present = true, .row = {}, .unreadable = {}};
    if (row != split->end()) found.row = std::move(*row);
    return found;
  }
  SliceSplit none;
  if (!splits.empty()) none.unreadable = splits.front().slice;
  return none;
}

}  // namespace proxima::proxy
