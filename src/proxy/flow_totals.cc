// SPDX-License-Identifier: Apache-2.0
#include "proxy/flow_totals.h"

#include "proxy/flow_owner.h"

namespace proxima::proxy {
namespace {

bool is_zone(const Text& zone) {
  return zone.view() != kOutsideZone && zone.view() != kUnknownZone;
}

}  // namespace

reports::ConnectionTotals connection_totals(const FlowAccounts& accounts) {
  reports::ConnectionTotals totals;
  for (const auto& [series, account] : accounts.by_series()) {
    if (!is_zone(series.source_zone) || !is_zone(series.target_zone)) continue;
    reports::ConnectionTotal& total =
        totals[std::string(series.ns.view()) + "/" + std::string(series.service.view())];
    total.connections += account.traffic.connections;
    if (series.source_zone == series.target_zone) total.local += account.traffic.connections;
  }
  return totals;
}

}  // namespace proxima::proxy
