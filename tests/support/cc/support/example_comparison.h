// SPDX-License-Identifier: Apache-2.0
// A comparison of a plausible shop in three zones, worked out by simple arithmetic instead of by
// the planner, so that what shows a comparison can be tested without what makes one.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "cli/compare_page.h"
#include "core/plan/compare.h"

namespace proxima::testing {

inline constexpr std::size_t kExampleZones = 3;
using Shares = std::array<double, kExampleZones>;
inline constexpr Shares kExampleDemand = {0.46, 0.32, 0.22};
inline constexpr double kNoBound = std::numeric_limits<double>::infinity();

struct ExampleService {
  std::string_view ns;
  std::string_view name;
  std::array<int, kExampleZones> endpoints;  // ready, by zone
  policy::PolicyKind configured;
  double gigabytes;
};

inline std::vector<ExampleService> example_services() {
  using enum policy::PolicyKind;
  return {
      {"checkout", "cart", {3, 3, 3}, Auto, 8200},
      {"checkout", "cart-store", {1, 1, 1}, PreferSameZone, 11400},
      {"checkout", "checkout", {4, 3, 2}, Auto, 5100},
      {"checkout", "coupons", {1, 1, 0}, Auto, 640},
      {"checkout", "fraud-score", {2, 1, 1}, ClusterWide, 2300},
      {"checkout", "orders", {5, 3, 3}, ClusterWide, 6900},
      {"checkout", "payments", {2, 2, 2}, PreferSameZone, 3100},
      {"checkout", "tax", {1, 1, 1}, ClusterWide, 410},
      {"data", "clickhouse", {2, 2, 2}, ClusterWide, 21800},
      {"data", "etl-gateway", {3, 1, 0}, PreferSameZone, 4700},
      {"data", "feature-store", {4, 4, 4}, Auto, 9600},
      {"data", "kafka-bootstrap", {1, 1, 1}, ClusterWide, 14200},
      {"data", "redis-sessions", {2, 1, 0}, Auto, 7700},
      {"data", "schema-registry", {1, 0, 1}, ClusterWide, 260},
      {"edge", "api-gateway", {6, 4, 3}, ZoneAware, 16500},
      {"edge", "auth", {4, 2, 2}, Auto, 5800},
      {"edge", "graphql", {5, 4, 2}, ClusterWide, 12700},
      {"edge", "image-resizer", {2, 4, 2}, ClusterWide, 18900},
      {"edge", "rate-limit", {3, 2, 1}, PreferSameNode, 1900},
      {"edge", "static-assets", {3, 3, 2}, PreferSameZone, 9900},
      {"edge", "websocket", {4, 3, 3}, Auto, 7200},
      {"observability", "loki-write", {3, 3, 3}, ClusterWide, 17300},
      {"observability", "mimir-ingest", {4, 2, 2}, ClusterWide, 15100},
      {"observability", "otel-collector", {5, 3, 2}, PreferSameNode, 13600},
      {"observability", "tempo-distributor", {2, 2, 1}, Auto, 8800},
      {"platform", "config", {1, 1, 1}, ClusterWide, 120},
      {"platform", "feature-flags", {2, 2, 2}, Auto, 980},
      {"platform", "mailer", {1, 0, 0}, PreferSameZone, 75},
      {"platform", "notifications", {2, 1, 1}, Auto, 1450},
      {"platform", "scheduler", {1, 1, 0}, ClusterWide, 90},
      {"platform", "secrets", {1, 1, 1}, Auto, 340},
      {"platform", "webhooks", {2, 2, 0}, ClusterWide, 870},
      {"search", "autocomplete", {4, 3, 2}, ZoneAware, 6100},
      {"search", "indexer", {1, 2, 3}, ClusterWide, 5400},
      {"search", "query", {6, 6, 4}, ClusterWide, 19700},
      {"search", "ranker", {3, 2, 2}, Auto, 10800},
      {"search", "spellcheck", {1, 1, 0}, Auto, 530},
      {"web", "account", {2, 2, 1}, ClusterWide, 2600},
      {"web", "product-page", {6, 5, 3}, PreferSameZone, 22400},
      {"web", "reviews", {3, 1, 1}, PreferSameZone, 7400},
      {"web", "storefront", {8, 5, 4}, ClusterWide, 24600},
  };
}

inline std::vector<plan::Variant> example_variants() {
  using enum policy::PolicyKind;
  std::vector<plan::Variant> variants = {{"as-configured", std::nullopt, std::nullopt},
                                         {"cluster-wide", ClusterWide, std::nullopt},
                                         {"auto", Auto, std::nullopt},
                                         {"prefer-same-zone", PreferSameZone, std::nullopt},
                                         {"prefer-same-node", PreferSameNode, std::nullopt},
                                         {"zone-aware", ZoneAware, std::nullopt}};
  for (const double bound : {0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, kNoBound}) {
    const std::string text =
        bound == kNoBound ? "inf" : std::to_string(static_cast<int>(bound * 100 + 0.5)) + "%";
    variants.push_back({"balanced " + text, Balanced, bound});
  }
  return variants;
}

// A service's own arithmetic: shares from zone to zone, and why.
class ExampleRouting {
 public:
  explicit ExampleRouting(const ExampleService& service) : service_(service) {
    total_ = std::accumulate(service.endpoints.begin(), service.endpoints.end(), 0);
    for (std::size_t zone = 0; zone < kExampleZones; ++zone) {
      capacity_[zone] = service.endpoints[zone] / double{total_ + 0.0};
    }
  }

  plan::Outcome outcome(policy::PolicyKind policy, double bound) {
    plan::Outcome out;
    out.why = route(policy, bound);
    for (std::size_t to = 0; to < kExampleZones; ++to) {
      double load = 0;
      for (std::size_t from = 0; from < kExampleZones; ++from) load += flow[from][to];
      out.local += flow[to][to];
      if (capacity_[to] > 0) {
        out.worst_overload = std::max(out.worst_overload, load / capacity_[to] - 1);
      }
    }
    if (out.worst_overload < 1e-9) out.worst_overload = 0;
    out.cross = std::max(0.0, 1 - out.local);
    out.cost = out.cross;
    out.gigabytes = service_.gigabytes;
    out.cross_gigabytes = out.cross * service_.gigabytes;
    return out;
  }

  std::array<Shares, kExampleZones> flow{};

 private:
  policy::Note route(policy::PolicyKind policy, double bound);
  // Every zone keeps what fits under the bound; the rest goes where there is most room.
  void keep_within(double bound) {
    Shares room{};
    for (std::size_t zone = 0; zone < kExampleZones; ++zone) {
      const double kept = std::min(kExampleDemand[zone], (1 + bound) * capacity_[zone]);
      flow[zone] = {};
      flow[zone][zone] = capacity_[zone] > 0 ? kept : 0;
      room[zone] = std::max(0.0, capacity_[zone] - flow[zone][zone]);
    }
    pour(room, bound);
  }
  void pour(Shares room, double bound) {
    double sum = std::accumulate(room.begin(), room.end(), 0.0);
    if (sum < 1e-9) {
      for (std::size_t zone = 0; zone < kExampleZones; ++zone) {
        room[zone] =
            bound == kNoBound ? capacity_[zone] : (1 + bound) * capacity_[zone] - flow[zone][zone];
      }
      sum = std::accumulate(room.begin(), room.end(), 0.0);
    }
    for (std::size_t from = 0; from < kExampleZones; ++from) {
      const double left = kExampleDemand[from] - flow[from][from];
      for (std::size_t to = 0; to < kExampleZones; ++to) flow[from][to] += left * room[to] / sum;
    }
  }
  void spread() {
    for (std::size_t from = 0; from < kExampleZones; ++from) {
      for (std::size_t to = 0; to < kExampleZones; ++to) {
        flow[from][to] = kExampleDemand[from] * capacity_[to];
      }
    }
  }

  const ExampleService& service_;
  int total_ = 0;
  Shares capacity_{};
};

inline policy::Note ExampleRouting::route(policy::PolicyKind policy, double bound) {
  using enum policy::PolicyKind;
  using policy::Reason;
  const bool everywhere = std::ranges::count(service_.endpoints, 0) == 0;
  switch (policy) {
    case Auto:
      spread();
      if (total_ < 3 || !everywhere) {
        return {.reason = Reason::TooFewEndpoints, .count = total_, .zones = kExampleZones};
      }
      if (total_ < 5) {
        return {.reason = Reason::OverloadTooHigh, .count = total_, .zones = kExampleZones};
      }
      keep_within(0.12);
      return {.reason = Reason::HintsAssigned};
    case PreferSameZone:
    case PreferSameNode:
      keep_within(kNoBound);
      return {.reason = everywhere ? Reason::SameZone : Reason::NoneInZone};
    case ZoneAware:
      if (total_ < 6) {
        spread();
        return {.reason = Reason::ZoneAwareClusterTooSmall, .count = total_, .limit = 6};
      }
      keep_within(0);
      return {.reason = Reason::ZoneAwareResidual, .share = 0.8};
    case Balanced:
      keep_within(bound);
      return {.reason = Reason::BalancedSpill, .share = 0.9};
    default:
      spread();
      return {.reason = Reason::ClusterWide};
  }
}

inline model::SnapshotPtr example_snapshot(const std::vector<ExampleService>& services) {
  model::Snapshot snapshot;
  for (const char* zone : {"eu-west-1a", "eu-west-1b", "eu-west-1c"}) {
    snapshot.zones.push_back({snapshot.names.intern(zone), {}});
  }
  snapshot.nodes.resize(24);
  for (const ExampleService& example : services) {
    const NameId ns = snapshot.names.intern(example.ns);
    if (snapshot.namespaces.empty() || snapshot.namespaces.back().name != ns) {
      snapshot.namespaces.push_back({ns, {}});
    }
    model::Service service;
    service.ns = model::NamespaceIndex(snapshot.namespaces.size() - 1);
    service.name = snapshot.names.intern(example.name);
    snapshot.services.push_back(service);
    const int count = std::accumulate(example.endpoints.begin(), example.endpoints.end(), 0);
    snapshot.endpoints.resize(snapshot.endpoints.size() + static_cast<std::size_t>(count));
  }
  return std::make_shared<const model::Snapshot>(std::move(snapshot));
}

inline void add_to_total(plan::VariantTotal& total, const plan::Outcome& outcome,
                         const ExampleRouting& routing) {
  total.gigabytes += outcome.gigabytes;
  total.local += outcome.local * outcome.gigabytes;
  total.cross += outcome.cross * outcome.gigabytes;
  total.cost += outcome.cost * outcome.gigabytes;
  total.mean_worst_overload += outcome.worst_overload * outcome.gigabytes;
  total.worst_overload = std::max(total.worst_overload, outcome.worst_overload);
  for (std::size_t from = 0; from < kExampleZones; ++from) {
    for (std::size_t to = 0; to < kExampleZones; ++to) {
      total.place_to_place[from * (kExampleZones + 1) + to] +=
          routing.flow[from][to] * outcome.gigabytes;
    }
  }
}

inline plan::Comparison compare_examples(const std::vector<ExampleService>& services) {
  plan::Comparison comparison;
  comparison.snapshot = example_snapshot(services);
  comparison.variants = example_variants();
  comparison.places = kExampleZones + 1;
  comparison.services.resize(services.size());
  for (const plan::Variant& variant : comparison.variants) {
    plan::VariantTotal total;
    total.place_to_place.resize(comparison.places * comparison.places);
    for (std::size_t i = 0; i < services.size(); ++i) {
      ExampleRouting routing(services[i]);
      comparison.services[i].service = model::ServiceIndex(i);
      comparison.services[i].outcomes.push_back(routing.outcome(
          variant.policy.value_or(services[i].configured), variant.overload.value_or(0.2)));
      add_to_total(total, comparison.services[i].outcomes.back(), routing);
    }
    total.local /= total.gigabytes;
    total.cross /= total.gigabytes;
    total.mean_worst_overload /= total.gigabytes;
    comparison.totals.push_back(std::move(total));
  }
  return comparison;
}

inline plan::Comparison example_comparison() { return compare_examples(example_services()); }

inline cli::ComparePageInfo example_page_info() {
  cli::ComparePageInfo info;
  info.title = "Traffic of the example shop";
  info.version = "proxima 0.1.0";
  info.source = "shop.json";
  info.price_per_gb = 0.02;
  info.period = "month";
  info.price = "$0.02 per GB between zones, both directions together";
  info.traffic = "as in traffic.txt";
  info.demand = "in proportion to the allocatable CPU of the nodes";
  info.as_configured = 0;
  info.recommended = 9;  // balanced 20%
  return info;
}

}  // namespace proxima::testing
