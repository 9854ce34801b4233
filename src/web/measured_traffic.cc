// SPDX-License-Identifier: Apache-2.0
#include "web/measured_traffic.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "base/whole_number.h"
#include "web/load_window.h"

namespace proxima::web {
namespace {

constexpr double kSecondsOfAMonth = 730.0 * 3600;  // as cloud providers bill
constexpr double kBytesOfAGigabyte = 1e9;

using Rows = std::vector<const SeenTraffic*>;
using RowsByService = std::map<std::string, Rows, std::less<>>;

RowsByService by_service(const std::vector<SeenTraffic>& all) {
  RowsByService out;
  for (const SeenTraffic& row : all) out[row.service].push_back(&row);
  return out;
}

const Rows& rows_of(const RowsByService& all, const std::string& service) {
  static const Rows none;
  const auto found = all.find(service);
  return found == all.end() ? none : found->second;
}

// Nodes say how much it was: sums end at the largest count.
void add_to(std::uint64_t& sum, std::uint64_t more) { sum = saturating_sum(sum, more); }

std::uint64_t total(const Rows& rows, std::uint64_t SeenTraffic::*field) {
  std::uint64_t sum = 0;
  for (const SeenTraffic* row : rows) add_to(sum, row->*field);
  return sum;
}

double share_of(double part, double whole) { return whole > 0 ? part / whole : 0; }

bool is_inside(const SeenTraffic& row) { return row.from_zone != kOutsideZone; }

Rows inside(const Rows& rows) {
  Rows out;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(out),
               [](const SeenTraffic* row) { return is_inside(*row); });
  return out;
}

// What an endpoint is known by: its Pod, or its address where there is none.
std::string endpoint_name(const SeenTraffic& row) {
  if (row.pod.empty()) return row.address;
  if (row.pod.find('/') != std::string::npos) return row.pod;
  return row.service.substr(0, row.service.find('/') + 1) + row.pod;
}

const std::string& endpoint_name(const EndpointPicture& endpoint) {
  return endpoint.pod.empty() ? endpoint.address : endpoint.pod;
}

using PodsByAddress = std::map<std::string_view, std::string_view>;

PodsByAddress pods_by_address(const ServicePicture& service) {
  PodsByAddress pods;
  const auto add = [&](const PlanPicture& plan) {
    for (const EndpointPicture& endpoint : plan.endpoints)
      if (!endpoint.pod.empty()) pods.emplace(endpoint.address, endpoint.pod);
  };
  add(service.plan);
  for (const FamilyPicture& family : service.other_families) add(family.plan);
  return pods;
}

// Finds the Pods of endpoints that only their addresses are known of.
void name_pods(const std::vector<ServicePicture>& services, std::vector<SeenTraffic>& rows) {
  std::map<std::string, PodsByAddress, std::less<>> known;
  for (const ServicePicture& service : services)
    known.emplace(service.full_name(), pods_by_address(service));
  for (SeenTraffic& row : rows) {
    const auto pods = known.find(row.service);
    if (!row.pod.empty() || row.address.empty() || pods == known.end()) continue;
    const auto pod = pods->second.find(row.address);
    if (pod != pods->second.end()) row.pod = pod->second;
  }
}

std::vector<FlowPicture> flows_of(const Rows& rows, double seconds) {
  std::map<std::pair<std::string, std::string>, std::uint64_t> counts;
  for (const SeenTraffic* row : rows)
    if (row->requests > 0) add_to(counts[{row->from_zone, row->to_zone}], row->requests);
  const auto all = static_cast<double>(total(rows, &SeenTraffic::requests));
  std::vector<FlowPicture> flows;
  for (const auto& [pair, count] : counts)
    flows.push_back({.from = pair.first,
                     .to = pair.second,
                     .share = share_of(static_cast<double>(count), all),
                     .requests_per_second = static_cast<double>(count) / seconds});
  return flows;
}

using Counts = std::map<std::string, std::uint64_t>;

Counts requests_by_endpoint(const Rows& rows) {
  Counts counts;
  for (const SeenTraffic* row : rows) add_to(counts[endpoint_name(*row)], row->requests);
  return counts;
}

double count_of(const Counts& counts, const std::string& endpoint) {
  const auto found = counts.find(endpoint);
  return found == counts.end() ? 0.0 : static_cast<double>(found->second);
}

// The endpoints that the plan knows, in its order.
std::vector<MeasuredEndpoint> endpoints_of(const PlanPicture& plan, const Counts& flows,
                                           double seconds) {
  std::vector<MeasuredEndpoint> out;
  for (const EndpointPicture& endpoint : plan.endpoints)
    out.push_back({.pod = endpoint.pod,
                   .address = endpoint.address,
                   .zone = endpoint.zone,
                   .node = endpoint.node,
                   .load = std::nullopt,
                   .requests_per_second = count_of(flows, endpoint_name(endpoint)) / seconds});
  return out;
}

// One that is gone or not ready has no fair share any more, and what it got before is none of the
// others' load.
void add_loads(const PlanPicture& plan, const Counts& counts, MeasuredPicture& out) {
  double all = 0;
  double fair_ones = 0;
  for (const EndpointPicture& endpoint : plan.endpoints) {
    if (endpoint.fair_share <= 0) continue;
    all += count_of(counts, endpoint_name(endpoint));
    ++fair_ones;
  }
  const bool is_full = out.load_seconds >= kLoadWindowSeconds;
  if (all <= 0 || (all < fair_ones * kRequestsOfAnEndpoint && !is_full)) return;
  out.worst_overload = 0;
  for (std::size_t i = 0; i < out.endpoints.size(); ++i) {
    const double fair = all * plan.endpoints[i].fair_share;
    const double count = count_of(counts, endpoint_name(plan.endpoints[i]));
    out.endpoints[i].load = share_of(count, fair);
    if (*out.endpoints[i].load - 1 <= *out.worst_overload) continue;
    out.worst_overload = *out.endpoints[i].load - 1;
    out.overload_margin = std::sqrt(count) / fair;  // requests are spread by chance
  }
}

struct LoadRows {
  const Rows& rows;
  int seconds = 0;
};

MeasuredPicture measured_of(const ServicePicture& service, const Rows& all, const LoadRows& loads,
                            double seconds) {
  const Rows flows = inside(all);
  MeasuredPicture out;
  out.flows = flows_of(flows, seconds);
  for (const FlowPicture& flow : out.flows)
    if (flow.from == flow.to && !flow.from.empty()) out.local += flow.share;
  out.requests_per_second = static_cast<double>(total(flows, &SeenTraffic::requests)) / seconds;
  out.retried = total(all, &SeenTraffic::retried);
  out.failed = total(all, &SeenTraffic::failed);
  out.endpoints = endpoints_of(service.plan, requests_by_endpoint(all), seconds);
  out.load_seconds = loads.seconds;
  add_loads(service.plan, requests_by_endpoint(loads.rows), out);
  return out;
}

// Prices of the plan's matrix by the names of zones.
class ZonePrices {
 public:
  explicit ZonePrices(const plan::ClusterPlan& plan) : plan_(plan) {}
  // Zones that the cluster does not know cost what places without a zone cost.
  double between(const std::string& from, const std::string& to) const {
    if (from == to) return 0;
    return plan_.prices.price[place(from) * plan_.places + place(to)];
  }

 private:
  std::size_t place(const std::string& zone) const {
    const model::ZoneIndex index = plan_.snapshot->find_zone(zone);
    return index ? index.value() : plan_.places - 1;
  }
  const plan::ClusterPlan& plan_;
};

// Of a byte that starts in `from` and goes to any endpoint alike.
double price_anywhere(const ZonePrices& prices, const std::string& from, const PlanPicture& plan) {
  double sum = 0;
  for (const EndpointPicture& endpoint : plan.endpoints)
    sum += endpoint.fair_share * prices.between(from, endpoint.zone);
  return sum;
}

CostPicture cost_of(const ServicePicture& service, const Rows& rows, const ZonePrices& prices,
                    double gigabytes_per_byte) {
  CostPicture cost;
  std::map<std::string, double> bytes_from;
  for (const SeenTraffic* row : inside(rows)) {
    const auto bytes = static_cast<double>(row->bytes);
    cost.gigabytes_per_month += bytes * gigabytes_per_byte;
    cost.per_month += bytes * gigabytes_per_byte * prices.between(row->from_zone, row->to_zone);
    bytes_from[row->from_zone] += bytes;
  }
  for (const auto& [zone, bytes] : bytes_from)
    cost.cluster_wide_per_month +=
        bytes * gigabytes_per_byte * price_anywhere(prices, zone, service.plan);
  return cost;
}

void add_rates(const MeasuredWindows& windows, LiveState& state) {
  std::map<std::string, std::uint64_t> by_zone;
  std::map<std::string, std::uint64_t> by_pod;
  for (const SeenTraffic& row : windows.flows) {
    add_to(by_zone[row.from_zone], row.requests);
    add_to(by_pod[endpoint_name(row)], row.requests);
  }
  for (ZonePicture& zone : state.zones)
    zone.requests_per_second = static_cast<double>(by_zone[zone.name]) / windows.flow_seconds;
  for (PodPicture& pod : state.pods)
    pod.requests_per_second =
        static_cast<double>(by_pod[pod.ns + "/" + pod.name]) / windows.flow_seconds;
}

void add_to_totals(const ServicePicture& service, TotalsPicture& totals) {
  const MeasuredPicture& measured = *service.measured;
  if (measured.worst_overload)
    totals.worst_overload = std::max(totals.worst_overload.value_or(0), *measured.worst_overload);
  else
    ++totals.measuring;
  totals.requests_per_second += measured.requests_per_second;
  add_to(totals.retried, measured.retried);
  add_to(totals.failed, measured.failed);
  totals.cost_per_month += service.cost->per_month;
  totals.cluster_wide_per_month += service.cost->cluster_wide_per_month;
}

std::optional<double> local_share(const std::vector<ServicePicture>& services, double rate) {
  if (rate <= 0) return std::nullopt;
  double local = 0;
  for (const ServicePicture& service : services)
    if (service.measured) local += service.measured->local * service.measured->requests_per_second;
  return local / rate;
}

}  // namespace

void add_measured(MeasuredWindows windows, const plan::ClusterPlan& plan, Money money,
                  LiveState& state) {
  name_pods(state.services, windows.flows);
  name_pods(state.services, windows.loads);
  const RowsByService flows = by_service(windows.flows);
  const RowsByService loads = by_service(windows.loads);
  const ZonePrices prices(plan);
  const double gigabytes_per_byte = kSecondsOfAMonth / windows.flow_seconds / kBytesOfAGigabyte;
  add_rates(windows, state);
  TotalsPicture totals;
  for (ServicePicture& service : state.services) {
    const Rows& rows = rows_of(flows, service.full_name());
    if (rows.empty()) continue;
    const auto seconds = windows.load_seconds.find(service.full_name());
    const LoadRows load_rows{rows_of(loads, service.full_name()),
                             seconds == windows.load_seconds.end() ? 0 : seconds->second};
    service.measured = measured_of(service, rows, load_rows, windows.flow_seconds);
    service.cost = cost_of(service, rows, prices, gigabytes_per_byte);
    service.cost->per_month *= money.per_unit;
    service.cost->cluster_wide_per_month *= money.per_unit;
    add_to_totals(service, totals);
  }
  totals.local = local_share(state.services, totals.requests_per_second);
  // The worst of some is not the worst.
  if (totals.measuring > 0) totals.worst_overload.reset();
  totals.failed_ever = windows.totals.failed;
  state.totals = totals;
}

}  // namespace proxima::web
