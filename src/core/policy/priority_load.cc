// SPDX-License-Identifier: Apache-2.0
#include "core/policy/priority_load.h"

#include <algorithm>

#include "base/check.h"
#include "base/whole_number.h"

namespace proxima::policy {
namespace {

constexpr std::uint64_t kAll = 100;

// Percent of a priority that can serve, overprovisioning included.
struct Availability {
  std::uint64_t healthy = 0;
  std::uint64_t degraded = 0;
};

Availability availability(const PriorityHosts& priority) {
  const HostCounts& count = priority.hosts.count;
  if (count.total <= count.excluded) return {};
  const HostCounts& by = priority.weighted_health ? priority.hosts.weight : count;
  PROXIMA_CHECK(by.total > by.excluded);
  const std::uint64_t serving = by.total - by.excluded;
  const std::uint64_t factor = priority.overprovisioning_factor;
  return {std::min(kAll, scaled_ratio(by.healthy, serving, factor)),
          std::min(kAll, scaled_ratio(by.degraded, serving, factor))};
}

std::uint64_t normalised_total(std::span<const PriorityHosts> priorities) {
  std::uint64_t sum = 0;
  for (const PriorityHosts& priority : priorities) {
    const Availability a = availability(priority);
    sum += a.healthy + a.degraded;
  }
  return std::min(kAll, sum);
}

// What rounding left over goes to the first priority that is healthy at all, else to the first
// degraded one.
void give_remainder(std::span<const PriorityHosts> priorities, std::uint64_t left,
                    PriorityLoads& loads) {
  const auto add = [left](std::uint32_t& load) { load += static_cast<std::uint32_t>(left); };
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (availability(priorities[i]).healthy != 0) return add(loads[i].healthy);
  }
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (availability(priorities[i]).degraded != 0) return add(loads[i].degraded);
  }
}

// All healthy hosts, of any priority, come before the first degraded one.
void hand_out(std::span<const PriorityHosts> priorities, std::uint64_t total,
              PriorityLoads& loads) {
  std::uint64_t left = kAll;
  const auto take = [&](std::uint64_t available) {
    const std::uint64_t load = std::min(left, available * kAll / total);
    left -= load;
    return static_cast<std::uint32_t>(load);
  };
  for (std::size_t i = 0; i < loads.size(); ++i) {
    loads[i].healthy = take(availability(priorities[i]).healthy);
  }
  for (std::size_t i = 0; i < loads.size(); ++i) {
    loads[i].degraded = take(availability(priorities[i]).degraded);
  }
  give_remainder(priorities, left, loads);
}

// Everything is in panic: health says nothing any more, so hosts are all that counts.
void share_by_hosts(std::span<const PriorityHosts> priorities, PriorityLoads& loads) {
  std::uint64_t total = 0;
  for (const PriorityHosts& priority : priorities)
    total = saturating_sum(total, priority.hosts.count.total);
  std::uint64_t left = kAll;
  std::size_t first = loads.size();
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const std::uint64_t hosts = priorities[i].hosts.count.total;
    const std::uint64_t load = scaled_ratio(hosts, total, kAll);
    loads[i].healthy = static_cast<std::uint32_t>(load);
    loads[i].degraded = 0;
    left -= load;
    if (hosts != 0) first = std::min(first, i);
  }
  loads[first == loads.size() ? 0 : first].healthy += static_cast<std::uint32_t>(left);
}

}  // namespace

double available_percent(const HostCounts& hosts) {
  if (hosts.total <= hosts.excluded) return 0;
  const auto serving = static_cast<double>(hosts.total - hosts.excluded);
  return 100.0 * static_cast<double>(hosts.healthy) / serving +
         100.0 * static_cast<double>(hosts.degraded) / serving;
}

bool below_panic_threshold(const HostCounts& hosts, std::uint32_t panic_threshold) {
  return available_percent(hosts) < std::min<std::uint32_t>(panic_threshold, kAll);
}

PriorityLoads priority_loads(std::span<const PriorityHosts> priorities,
                             std::uint32_t panic_threshold, std::span<const PriorityLoad> before,
                             std::pmr::memory_resource* memory) {
  PROXIMA_CHECK(!priorities.empty());
  PriorityLoads loads(priorities.size(), memory);
  const std::uint64_t total = normalised_total(priorities);
  if (total != 0) hand_out(priorities, total, loads);
  if (total == 0 && panic_threshold == 0) {
    const std::size_t known = std::min(before.size(), loads.size());
    for (std::size_t i = 0; i < known; ++i) loads[i].panic = before[i].panic;
    loads[0].healthy = kAll;
    return loads;
  }
  bool all_in_panic = true;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    // A cluster that can serve everything elsewhere need not touch this priority's sick hosts.
    loads[i].panic =
        total != kAll && below_panic_threshold(priorities[i].hosts.count, panic_threshold);
    all_in_panic = all_in_panic && loads[i].panic;
  }
  if (all_in_panic) share_by_hosts(priorities, loads);
  return loads;
}

PriorityChoice choose_priority(std::span<const PriorityLoad> loads, std::uint64_t draw) {
  const std::uint64_t wanted = draw % kAll + 1;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    sum += loads[i].healthy;
    if (wanted <= sum) return {i, HostView::Healthy};
  }
  for (std::size_t i = 0; i < loads.size(); ++i) {
    sum += loads[i].degraded;
    if (wanted <= sum) return {i, HostView::Degraded};
  }
  PROXIMA_CHECK(wanted <= sum);  // not so: all loads were passed, and they sum to less than 100
  return {};
}

}  // namespace proxima::policy
