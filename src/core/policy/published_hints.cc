// SPDX-License-Identifier: Apache-2.0
#include "core/policy/published_hints.h"

#include <algorithm>
#include <limits>

namespace proxima::policy {
namespace {

// Numbers the kinds of endpoints that can stand in for each other; gives how many there are.
std::size_t group_endpoints(const PublishedHints& published, PublishedHintsWorkspace& workspace) {
  auto& groups = workspace.groups;
  groups.clear();
  const auto kind = [&](std::size_t i) {
    return std::pair(published.place[i], published.weight.empty() ? 1.0F : published.weight[i]);
  };
  for (std::size_t i = 0; i < published.place.size(); ++i) groups.push_back(kind(i));
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  workspace.group_of.resize(published.place.size());
  for (std::size_t i = 0; i < published.place.size(); ++i) {
    const auto at = std::lower_bound(groups.begin(), groups.end(), kind(i));
    workspace.group_of[i] = static_cast<std::uint32_t>(at - groups.begin());
  }
  return groups.size();
}

bool is_kept(const PublishedHints& published, std::span<const std::uint16_t> hint_of) {
  for (std::size_t i = 0; i < hint_of.size(); ++i) {
    const std::uint16_t zone = published.zone[i];
    if (zone != kNotPublished && zone != hint_of[i]) return false;
  }
  return true;
}

// Gives endpoint i the zone if its kind has one of it left.
bool settle(std::size_t i, std::size_t zone, std::size_t zones,
            PublishedHintsWorkspace& workspace) {
  if (workspace.settled[i] != 0 || zone >= zones) return false;
  std::uint32_t& quota = workspace.quota[workspace.group_of[i] * zones + zone];
  if (quota == 0) return false;
  --quota;
  workspace.settled[i] = 1;
  return true;
}

}  // namespace

void keep_published(const PublishedHints& published, PublishedHintsWorkspace& workspace,
                    std::span<std::uint16_t> hint_of) {
  if (hint_of.empty() || is_kept(published, hint_of)) return;
  const std::size_t zones = *std::max_element(hint_of.begin(), hint_of.end()) + std::size_t{1};
  workspace.quota.assign(group_endpoints(published, workspace) * zones, 0);
  workspace.settled.assign(hint_of.size(), 0);
  for (std::size_t i = 0; i < hint_of.size(); ++i) {
    ++workspace.quota[workspace.group_of[i] * zones + hint_of[i]];
  }
  for (std::size_t left = hint_of.size(); left > 0; --left) {
    const std::size_t i = left - 1;
    if (settle(i, published.zone[i], zones, workspace)) hint_of[i] = published.zone[i];
  }
  for (std::size_t i = 0; i < hint_of.size(); ++i) settle(i, hint_of[i], zones, workspace);
  for (std::size_t i = 0; i < hint_of.size(); ++i) {
    for (std::size_t zone = 0; workspace.settled[i] == 0; ++zone) {
      if (settle(i, zone, zones, workspace)) hint_of[i] = static_cast<std::uint16_t>(zone);
    }
  }
}

double cost_of_hints(std::span<const std::uint16_t> hint_of, const PublishedHints& endpoints,
                     std::span<const double> demand, std::span<const double> price) {
  const std::size_t places = demand.size() + 1;
  std::vector<double> served(demand.size(), 0), paid(demand.size(), 0);
  for (std::size_t i = 0; i < hint_of.size(); ++i) {
    const std::size_t user = hint_of[i], owner = endpoints.place[i];
    const double weight = endpoints.weight.empty() ? 1 : static_cast<double>(endpoints.weight[i]);
    const double each = price.empty() ? (user == owner ? 0 : 1) : price[user * places + owner];
    served[user] += weight;
    paid[user] += weight * each;
  }
  double cost = 0;
  for (std::size_t zone = 0; zone < demand.size(); ++zone) {
    if (demand[zone] <= 0) continue;
    if (served[zone] <= 0) return std::numeric_limits<double>::infinity();
    cost += demand[zone] * paid[zone] / served[zone];
  }
  return cost;
}

}  // namespace proxima::policy
