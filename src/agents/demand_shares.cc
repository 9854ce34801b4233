// SPDX-License-Identifier: Apache-2.0
#include "agents/demand_shares.h"

#include <algorithm>
#include <cmath>

#include "agents/name_list.h"

namespace proxima::agents {
namespace {

// What percentages that were rounded may be beside the truth.
constexpr double kRounding = 1e-3;

double sum_of(const DemandShares& shares) {
  double sum = 0;
  for (const auto& [zone, share] : shares) sum += share;
  return sum;
}

Status check(const DemandShares& present, const DemandShares& named) {
  for (const auto& [zone, share] : named) {
    if (!present.contains(zone)) {
      std::vector<std::string> zones;
      for (const auto& [name, part] : present) zones.push_back(name);
      return Error{ErrorCode::NotFound, "no zone \"" + zone + "\"; there are " + name_list(zones)};
    }
    if (!std::isfinite(share) || share < 0 || share > 1 + kRounding)
      return Error{ErrorCode::InvalidInput,
                   "demand of " + zone + ": a share is from 0 to 1, or from 0% to 100%"};
  }
  if (sum_of(named) > 1 + kRounding)
    return Error{ErrorCode::InvalidInput, "demand: the shares add up to more than 100%"};
  if (named.size() == present.size() && sum_of(named) < 1 - kRounding)
    return Error{ErrorCode::InvalidInput,
                 "demand: the shares of all zones add up to less than 100%"};
  return Unit{};
}

}  // namespace

DemandShares normalized(DemandShares parts) {
  const double sum = sum_of(parts);
  const double even = parts.empty() ? 0 : 1.0 / static_cast<double>(parts.size());
  for (auto& [zone, part] : parts) part = sum > 0 ? part / sum : even;
  return parts;
}

DemandShares shares_of(const DemandShares& present, const std::vector<std::string>& zones) {
  DemandShares kept;
  for (const std::string& zone : zones)
    if (const auto found = present.find(zone); found != present.end()) kept.insert(*found);
  const double mean = kept.empty() ? 1 : sum_of(kept) / static_cast<double>(kept.size());
  for (const std::string& zone : zones) kept.try_emplace(zone, mean);
  return normalized(std::move(kept));
}

Result<DemandShares> changed_shares(const DemandShares& present, const DemandShares& named) {
  PROXIMA_TRY([[maybe_unused]] const Unit checked, check(present, named), "lab");
  DemandShares others;
  for (const auto& [zone, share] : present)
    if (!named.contains(zone)) others.emplace(zone, share);
  const double rest = std::max(0.0, 1 - sum_of(named));
  DemandShares result = named;
  for (const auto& [zone, share] : normalized(std::move(others)))
    result.emplace(zone, rest * share);
  return normalized(std::move(result));
}

std::map<std::string, double> traffic_of(const DemandShares& shares,
                                         const std::map<std::string, std::string>& zones) {
  std::map<std::string, int> nodes_in;
  for (const auto& [node, zone] : zones) ++nodes_in[zone];
  std::map<std::string, double> traffic;
  for (const auto& [node, zone] : zones) {
    const auto share = shares.find(zone);
    const double percent = share == shares.end() ? 0 : 100 * share->second / nodes_in[zone];
    traffic[node] = std::round(percent * 1000) / 1000;
  }
  return traffic;
}

}  // namespace proxima::agents
