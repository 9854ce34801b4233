// SPDX-License-Identifier: Apache-2.0
#include "slices/node_places.h"

#include <bit>
#include <functional>

#include "core/model/labels.h"

namespace proxima::slices {
namespace {

std::uint32_t hash_of(std::string_view name) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>()(name));
}

}  // namespace

const Text* zone_of(const kube::NodeRecord& node) {
  if (!node.labels) return nullptr;
  const Text* zone = node.labels->peek(model::kZoneLabel);
  return zone == nullptr || zone->view().empty() ? nullptr : zone;
}

NodePlaces::NodePlaces(const kube::CacheSnapshot<kube::NodeRecord>& nodes) {
  places_.reserve(nodes.size());
  slots_.resize(std::bit_ceil(2 * nodes.size() + 1));
  nodes.each([&](const Ref<const kube::NodeRecord>& node) {
    const std::string_view name = node->meta.name.view();
    std::size_t at = hash_of(name) & (slots_.size() - 1);
    while (slots_[at].place != kFree) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {hash_of(name), static_cast<std::uint32_t>(places_.size())};
    const Text* zone = zone_of(*node);
    places_.push_back({.name = node->meta.name, .zone = zone == nullptr ? Text() : *zone});
  });
}

const NodePlace* NodePlaces::find(std::string_view name) const {
  const std::uint32_t hash = hash_of(name);
  std::size_t at = hash & (slots_.size() - 1);
  while (slots_[at].place != kFree) {
    const NodePlace& place = places_[slots_[at].place];
    if (slots_[at].hash == hash && place.name.view() == name) return &place;
    at = (at + 1) & (slots_.size() - 1);
  }
  return nullptr;
}

}  // namespace proxima::slices
