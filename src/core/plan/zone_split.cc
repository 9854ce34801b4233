// SPDX-License-Identifier: Apache-2.0
#include "core/plan/zone_split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace proxima::plan {
namespace {

using route::ZoneRow;
using route::ZoneShare;
using route::ZoneSplit;

std::string_view place_name(const ClusterPlan& plan, std::size_t place) {
  return place + 1 < plan.places ? plan.snapshot->zone_name(model::ZoneIndex(place))
                                 : route::kNoZoneInSplit;
}

template <class Row>
bool by_zone(const Row& a, const Row& b) {
  return a.zone < b.zone;
}

}  // namespace

ZoneSplit zone_split(const ClusterPlan& plan, const ServicePlan& service) {
  if (service.split < 0) return {};
  return to_zone_split(plan, plan.split_of(service), plan.row_totals(service));
}

ZoneSplit to_zone_split(const ClusterPlan& plan, std::span<const double> matrix,
                        std::span<const double> demand) {
  ZoneSplit split;
  for (std::size_t from = 0; from < plan.places; ++from) {
    if (demand[from] <= 0) continue;
    const auto shares =
        whole_permille(matrix.subspan(from * plan.places, plan.places), demand[from]);
    ZoneRow row{std::string(place_name(plan, from)), {}};
    for (std::size_t to = 0; to < plan.places; ++to) {
      if (shares[to] > 0) row.to.push_back({std::string(place_name(plan, to)), shares[to]});
    }
    std::sort(row.to.begin(), row.to.end(), by_zone<ZoneShare>);
    split.push_back(std::move(row));
  }
  std::sort(split.begin(), split.end(), by_zone<ZoneRow>);
  return split;
}

std::vector<double> failover_totals(const ClusterPlan& plan, const ServicePlan& service) {
  std::vector<double> totals(plan.places, 0);
  const auto split = plan.split_of(service);
  for (std::size_t from = 0; from < plan.places; ++from) {
    const auto row = split.subspan(from * plan.places, plan.places);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    totals[from] = sum - row[from] > 0 ? 1 : 0;
  }
  return totals;
}

std::vector<std::int64_t> whole_permille(std::span<const double> parts, double total) {
  std::vector<std::int64_t> out(parts.size());
  std::vector<double> lost(parts.size());
  double exact_total = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double exact = 1000 * parts[i] / total;
    out[i] = static_cast<std::int64_t>(std::floor(exact + 1e-9));
    lost[i] = exact - static_cast<double>(out[i]);
    exact_total += exact;
  }
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lost[a] > lost[b]; });
  std::int64_t missing =
      std::llround(exact_total) - std::accumulate(out.begin(), out.end(), std::int64_t{0});
  for (std::size_t i = 0; i < order.size() && missing > 0; ++i, --missing) ++out[order[i]];
  return out;
}

}  // namespace proxima::plan
