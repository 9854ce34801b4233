// SPDX-License-Identifier: Apache-2.0
#include "traffic/demand_plan.h"

#include <cmath>

namespace proxima::traffic {

namespace {

double positive(double number) { return std::isfinite(number) && number > 0 ? number : 0; }

DemandShares even_shares(std::span<const std::string> zones) {
  DemandShares shares;
  for (const std::string& zone : zones) shares[zone] = 0;
  for (auto& [zone, share] : shares) share = 1.0 / static_cast<double>(shares.size());
  return shares;
}

}  // namespace

std::vector<double> plan_client_rates(std::span<const std::string> zones,
                                      const std::optional<DemandShares>& shares,
                                      double requests_per_second) {
  const DemandShares demand = shares ? *shares : even_shares(zones);
  std::map<std::string, int> clients_in;
  for (const std::string& zone : zones) ++clients_in[zone];
  std::vector<double> rates;
  rates.reserve(zones.size());
  for (const std::string& zone : zones) {
    const auto share = demand.find(zone);
    const double of_zone = share == demand.end() ? 0 : positive(share->second);
    rates.push_back(of_zone * positive(requests_per_second) / clients_in[zone]);
  }
  return rates;
}

}  // namespace proxima::traffic
