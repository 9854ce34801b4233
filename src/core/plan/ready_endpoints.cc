// SPDX-License-Identifier: Apache-2.0
#include "core/plan/ready_endpoints.h"

namespace proxima::plan {

void ReadyEndpoints::collect(std::span<const model::Endpoint> endpoints, std::size_t places,
                             bool (*is_ready)(const model::Endpoint&)) {
  index.clear();
  place.clear();
  node.clear();
  weight.clear();
  alike = true;
  for (std::size_t e = 0; e < endpoints.size(); ++e) {
    const model::Endpoint& endpoint = endpoints[e];
    if (!is_ready(endpoint)) continue;
    index.push_back(static_cast<std::uint32_t>(e));
    place.push_back(static_cast<std::uint16_t>(endpoint.zone ? endpoint.zone.value() : places - 1));
    node.push_back(endpoint.node ? static_cast<std::uint32_t>(endpoint.node.value())
                                 : policy::kUnknownNode);
    weight.push_back(endpoint.weight);
    alike = alike && endpoint.weight == weight.front();
  }
}

}  // namespace proxima::plan
