// SPDX-License-Identifier: Apache-2.0
#include "traffic/demand_plan.h"

#include <cmath>

namespace proxima::traffic {

namespace {

double positive(double number) { return std::isfinite(number) && number > 0 ? number : 0; }

DemandShares even_shares(std::span<const ClientPlace> clients) {
  DemandShares shares;
  for (const ClientPlace& client : clients) shares[client.zone] = 0;
  for (auto& [zone, share] : shares) share = 1.0 / static_cast<double>(shares.size());
  return shares;
}

}  // namespace

std::vector<double> plan_client_rates(std::span<const ClientPlace> clients,
                                      const std::optional<DemandShares>& shares,
                                      double requests_per_second) {
  const DemandShares demand = shares ? *shares : even_shares(clients);
  std::map<std::string, int> live;
  for (const ClientPlace& client : clients) live[client.zone] += client.live ? 1 : 0;
  std::vector<double> rates;
  rates.reserve(clients.size());
  for (const ClientPlace& client : clients) {
    const auto share = demand.find(client.zone);
    const bool asks = client.live && share != demand.end();
    const double zone_rate = asks ? positive(share->second) * positive(requests_per_second) : 0;
    rates.push_back(asks ? zone_rate / live[client.zone] : 0);
  }
  return rates;
}

}  // namespace proxima::traffic
