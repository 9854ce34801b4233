// SPDX-License-Identifier: Apache-2.0
#include "proxy/slice_split.h"

#include <algorithm>
#include <list>

#include "core/model/labels.h"
#include "core/route/service_texts.h"

namespace proxima::proxy {

SliceSplit slice_split(std::span<const SliceRef> slices, IpFamily family, const NodeView& node) {
  using kube::AddressType;
  const AddressType wanted = family == IpFamily::V4 ? AddressType::IPv4 : AddressType::IPv6;
  std::vector<route::SliceTexts> texts;
  std::list<route::SliceRouting> routings;  // the texts refer to them; nearly always none
  for (const SliceRef& slice : slices) {
    if (slice->address_type != wanted || !slice->annotations) continue;
    route::SliceTexts& text = texts.emplace_back(route::SliceTexts{
        .version = slice->meta.version,
        .slice = slice->meta.name.view(),
        // The slice holds it.
        .split = kube::label(slice->annotations, model::kZoneSplitAnnotation).view(),
        .routing = nullptr});
    const Text more = kube::label(slice->annotations, model::kRoutingAnnotation);
    if (more.view().empty()) continue;
    auto routing = route::parse_slice_routing(more.view(), slice->endpoints.size());
    if (routing) text.routing = &routings.emplace_back(std::move(*routing));
  }
  route::ServiceTexts read = route::read_service_texts(std::move(texts));
  SliceSplit found{.present = read.has_split,
                   .row = {},
                   .unreadable = {},
                   .keys = {},
                   .ignores_health = read.ignores_health,
                   .requires_zone = read.requires_zone};
  if (!read.unreadable.empty()) found.unreadable = Text(read.unreadable);
  for (const std::string& key : read.keys) found.keys.emplace_back(key);
  const std::string_view zone = node.zone.view().empty() ? route::kNoZoneInSplit : node.zone.view();
  const auto row = std::find_if(read.split.begin(), read.split.end(),
                                [&](const route::ZoneRow& one) { return one.zone == zone; });
  if (row != read.split.end()) found.row = std::move(*row);
  return found;
}

}  // namespace proxima::proxy
