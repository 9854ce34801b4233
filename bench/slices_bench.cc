// SPDX-License-Identifier: Apache-2.0
// What the controller's decisions cost without an API server: the Pods of a large cluster packed
// into slices and planned, from nothing and again when everything is there. One core.
//
//   slices_bench [REPEATS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "core/model/labels.h"
#include "kube/cache.h"
#include "slices/pack_family.h"
#include "slices/slice_planner.h"

namespace proxima {
namespace {

constexpr std::size_t kNodes = 5'000;
constexpr std::size_t kServices = 10'000;
constexpr std::size_t kPodsPerService = 15;
constexpr double kMillisecondsMax = 300;

kube::LabelSetRef label(std::string_view key, std::string_view value) {
  std::vector<kube::LabelText> texts{{Text(key), Text(value)}};
  return kube::LabelSetRef(new kube::LabelSet(std::move(texts)));
}

struct Cluster {
  kube::Cache<kube::NodeRecord> nodes;
  kube::Cache<kube::PodRecord> pods;
  std::vector<Ref<const kube::ServiceRecord>> services;
  std::vector<std::vector<slices::PodRef>> selected;  // by Service
  std::vector<std::vector<slices::SliceRef>> present;
};

void add_nodes(Cluster& cluster) {
  const char* zones[] = {"zone-a", "zone-b", "zone-c"};
  for (std::size_t n = 0; n < kNodes; ++n) {
    auto node = make_ref<kube::NodeRecord>();
    node->meta.name = Text("node-" + std::to_string(n));
    node->labels = label(model::kZoneLabel, zones[n % std::size(zones)]);
    node->cpu = Quantity::from_milli(4000);
    node->ready = true;
    cluster.nodes.put(node);
  }
}

// A quarter by CPU, a quarter by zone, half without hints.
Ref<const kube::ServiceRecord> make_service(std::size_t number) {
  auto service = make_ref<kube::ServiceRecord>();
  service->meta.ns = Text("big");
  service->meta.name = Text("service-" + std::to_string(number));
  service->meta.uid = Text("uid-of-service-" + std::to_string(number));
  service->ip_families = {IpFamily::V4};
  service->has_v4 = true;
  service->cluster_ips = {*IpAddress::parse("10.96.0.1")};
  kube::ServicePortRecord port;
  port.name = Text("http");
  port.port = 80;
  port.target_port = 8080;
  service->ports = {port};
  if (number % 4 == 0) {
    service->annotations = label("service.kubernetes.io/topology-mode", "Auto");
  }
  if (number % 4 == 1) service->traffic_distribution = Text("PreferClose");
  return service;
}

slices::PodRef make_pod(std::size_t service, std::size_t number) {
  auto pod = make_ref<kube::PodRecord>();
  const std::string name = "pod-" + std::to_string(service) + "-" + std::to_string(number);
  pod->phase = model::PodPhase::Running;
  pod->ready = true;
  pod->ns = Text("big");
  pod->name = Text(name);
  pod->uid = Text("uid-of-" + name);
  const std::size_t index = service * kPodsPerService + number;
  pod->node = Text("node-" + std::to_string(index % kNodes));
  pod->addresses.add(*IpAddress::parse("10." + std::to_string(index >> 16 & 255) + "." +
                                       std::to_string(index >> 8 & 255) + "." +
                                       std::to_string(index & 255)));
  return pod;
}

void add_services(Cluster& cluster) {
  for (std::size_t s = 0; s < kServices; ++s) {
    cluster.services.push_back(make_service(s));
    auto& pods = cluster.selected.emplace_back();
    for (std::size_t p = 0; p < kPodsPerService; ++p) pods.push_back(make_pod(s, p));
    std::sort(pods.begin(), pods.end(),
              [](const auto& a, const auto& b) { return a->name.view() < b->name.view(); });
    for (const auto& pod : pods) cluster.pods.put(pod);
    cluster.present.emplace_back();
  }
}

// What an API server would make of the drafts: the next round finds it there.
void keep(std::vector<slices::SliceRef>& present, slices::FamilyDraft draft) {
  for (auto& created : draft.creates) {
    created.value.meta.name = Text(std::string(created.value.generate_name.view()) + "abcde");
    created.value.meta.version = 1;
    created.value.service = kube::label(created.value.labels, model::kServiceNameLabel);
    present.push_back(slices::SliceRef(new kube::EndpointSliceRecord(std::move(created.value))));
  }
}

double milliseconds_since(std::clock_t began) {
  return 1000.0 * static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

struct Round {
  double milliseconds = 0;
  std::size_t endpoints = 0;
  std::size_t writes = 0;
};

Round run_round(Cluster& cluster, slices::SlicePlanner& planner) {
  std::vector<std::vector<slices::FamilyDraft>> drafts(kServices);
  const auto nodes = cluster.nodes.snapshot();
  const auto pods = cluster.pods.snapshot();
  const std::clock_t began = std::clock();
  const slices::NodePlaces places(nodes);
  for (std::size_t s = 0; s < kServices; ++s) {
    drafts[s].push_back(slices::pack_family({.service = *cluster.services[s],
                                             .pods = cluster.selected[s],
                                             .nodes = nodes,
                                             .slices = cluster.present[s],
                                             .places = &places}));
    planner.decide(*cluster.services[s], nullptr, pods, {}, drafts[s]);
  }
  Round round{.milliseconds = milliseconds_since(began)};
  for (std::size_t s = 0; s < kServices; ++s) {
    auto& draft = drafts[s].front();
    round.endpoints += draft.endpoints_desired;
    round.writes += draft.creates.size() + draft.updates.size() + draft.deletes.size();
    keep(cluster.present[s], std::move(draft));
  }
  return round;
}

void say(const char* what, const Round& round) {
  std::printf("%-28s %8.1f ms  %6.0f ns an endpoint  %6zu writes of %zu endpoints%s\n", what,
              round.milliseconds, round.milliseconds * 1e6 / static_cast<double>(round.endpoints),
              round.writes, round.endpoints,
              round.milliseconds > kMillisecondsMax ? "  MISSED" : "");
}

}  // namespace
}  // namespace proxima

int main(int count, char** words) {
  using namespace proxima;
  const int repeats = count > 1 ? std::atoi(words[1]) : 3;
  std::vector<Round> fresh, again;
  double nodes_milliseconds = 0;
  for (int i = 0; i < repeats; ++i) {
    Cluster cluster;
    add_nodes(cluster);
    add_services(cluster);
    slices::SlicePlanner planner{plan::PlanOptions{}};
    const std::clock_t began = std::clock();
    planner.set_nodes(cluster.nodes.snapshot());
    nodes_milliseconds = milliseconds_since(began);
    fresh.push_back(run_round(cluster, planner));
    again.push_back(run_round(cluster, planner));
  }
  const auto faster = [](const Round& a, const Round& b) {
    return a.milliseconds < b.milliseconds;
  };
  std::printf("nodes taken in               %8.1f ms\n", nodes_milliseconds);
  say("packed and planned, new", *std::min_element(fresh.begin(), fresh.end(), faster));
  say("packed and planned, again", *std::min_element(again.begin(), again.end(), faster));
  return 0;
}
