// SPDX-License-Identifier: Apache-2.0
#include "cli/zone_split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace proxima::cli {
namespace {

// Whole thousandths that sum to the rounded whole: what is cut off goes to those who lost most.
std::vector<std::int64_t> permille_of(std::span<const double> row, double demand) {
  std::vector<std::int64_t> out(row.size());
  std::vector<double> lost(row.size());
  double exact_total = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double exact = 1000 * row[i] / demand;
    out[i] = static_cast<std::int64_t>(std::floor(exact + 1e-9));
    lost[i] = exact - static_cast<double>(out[i]);
    exact_total += exact;
  }
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lost[a] > lost[b]; });
  std::int64_t missing =
      std::llround(exact_total) - std::accumulate(out.begin(), out.end(), std::int64_t{0});
  for (std::size_t i = 0; i < order.size() && missing > 0; ++i, --missing) ++out[order[i]];
  return out;
}

}  // namespace

std::string_view place_name(const model::Snapshot& snapshot, std::size_t place) {
  return place < snapshot.zones.size() ? snapshot.zone_name(model::ZoneIndex(place)) : kNoZone;
}

std::vector<SplitRow> split_rows(const plan::ClusterPlan& plan, const plan::ServicePlan& service) {
  const std::span<const double> split = plan.split_of(service);
  if (split.empty()) return {};
  const auto& demand = plan.demands[service.demand].by_place;
  std::vector<SplitRow> rows;
  for (std::size_t from = 0; from < plan.places; ++from) {
    if (demand[from] <= 0) continue;
    const auto shares = permille_of(split.subspan(from * plan.places, plan.places), demand[from]);
    SplitRow row{place_name(*plan.snapshot, from), {}};
    for (std::size_t to = 0; to < plan.places; ++to) {
      if (shares[to] > 0) row.to.push_back({place_name(*plan.snapshot, to), shares[to]});
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<PlaceCount> ready_by_place(const model::Snapshot& snapshot, model::Range endpoints) {
  std::vector<std::size_t> counts(snapshot.zones.size() + 1, 0);
  for (const model::Endpoint& endpoint : model::Snapshot::part(snapshot.endpoints, endpoints)) {
    if (!is_ready_for_proxy(endpoint)) continue;
    ++counts[endpoint.zone ? endpoint.zone.value() : snapshot.zones.size()];
  }
  std::vector<PlaceCount> out;
  for (std::size_t place = 0; place < counts.size(); ++place) {
    if (counts[place] > 0) out.push_back({place_name(snapshot, place), counts[place]});
  }
  return out;
}

}  // namespace proxima::cli
