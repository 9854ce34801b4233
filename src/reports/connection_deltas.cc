// SPDX-License-Identifier: Apache-2.0
#include "reports/connection_deltas.h"

#include <algorithm>

namespace proxima::reports {

std::vector<CountedConnections> ConnectionDeltas::take(const ConnectionTotals& totals) {
  // Services whose counts are gone will be counted from 0 when they come back.
  std::erase_if(taken_, [&](const auto& entry) { return !totals.contains(entry.first); });
  std::vector<CountedConnections> deltas;
  for (const auto& [service, total] : totals) {
    ConnectionTotal& before = taken_[service];
    if (total.connections < before.connections || total.local < before.local) before = {};
    if (total.connections == before.connections) continue;
    const std::uint64_t connections =
        std::min(total.connections - before.connections, kConnectionsMax);
    deltas.push_back({service, connections, std::min(total.local - before.local, connections)});
  }
  if (deltas.size() > kCountedServicesMax) {
    std::nth_element(deltas.begin(), deltas.begin() + kCountedServicesMax, deltas.end(),
                     [](const auto& a, const auto& b) { return a.connections > b.connections; });
    deltas.resize(kCountedServicesMax);
  }
  for (const CountedConnections& delta : deltas) taken_[delta.service] = totals.at(delta.service);
  return deltas;
}

}  // namespace proxima::reports
