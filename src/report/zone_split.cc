// SPDX-License-Identifier: Apache-2.0
#include "report/zone_split.h"

#include "core/plan/zone_split.h"

namespace proxima::report {
std::string_view place_name(const model::Snapshot& snapshot, std::size_t place) {
  return place < snapshot.zones.size() ? snapshot.zone_name(model::ZoneIndex(place)) : kNoZone;
}

std::vector<SplitRow> split_rows(const plan::ClusterPlan& plan, const plan::ServicePlan& service) {
  const std::span<const double> split = plan.split_of(service);
  if (split.empty()) return {};
  const auto demand = plan.row_totals(service);
  std::vector<SplitRow> rows;
  for (std::size_t from = 0; from < plan.places; ++from) {
    if (demand[from] <= 0) continue;
    const auto shares =
        plan::whole_permille(split.subspan(from * plan.places, plan.places), demand[from]);
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

}  // namespace proxima::report
