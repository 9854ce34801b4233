// SPDX-License-Identifier: Apache-2.0
#include "cli/up_shape.h"

#include <algorithm>

namespace proxima::cli {
namespace {

std::string zone_name(std::size_t index) {
  return std::string("zone-") + static_cast<char>('a' + index);
}

// In a new zone a service has as many Pods as where it has fewest: two of the even one, one of the
// lopsided one, none of the third.
std::size_t fewest(const std::map<std::string, std::size_t>& endpoints, std::size_t zones) {
  if (endpoints.size() < zones) return 0;
  std::size_t least = SIZE_MAX;
  for (const auto& [zone, count] : endpoints) least = std::min(least, count);
  return least == SIZE_MAX ? 0 : least;
}

void set_zones(agents::LabShape& shape, std::size_t count) {
  const std::size_t before = shape.zones.size();
  for (agents::ServiceShape& service : shape.services) {
    const std::size_t pods = fewest(service.endpoints, before);
    for (std::size_t i = before; i < count; ++i)
      if (pods > 0) service.endpoints[zone_name(i)] = pods;
    for (std::size_t i = count; i < before; ++i) service.endpoints.erase(shape.zones[i].name);
  }
  const std::size_t nodes = shape.zones.front().nodes;
  shape.zones.resize(count);
  for (std::size_t i = before; i < count; ++i) shape.zones[i] = {zone_name(i), nodes, 1};
}

}  // namespace

agents::LabShape example_shape(const UpCommand& command) {
  agents::LabShape shape = agents::default_shape();
  if (command.zones) set_zones(shape, *command.zones);
  if (command.nodes_per_zone)
    for (agents::ZoneShape& zone : shape.zones) zone.nodes = *command.nodes_per_zone;
  return shape;
}

agents::LabShape with_rate(agents::LabShape shape, const UpCommand& command) {
  if (command.rate) shape.requests_per_second = *command.rate;
  if (!command.traffic) shape.requests_per_second = 0;
  return shape;
}

}  // namespace proxima::cli
