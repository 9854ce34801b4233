// SPDX-License-Identifier: Apache-2.0
// What it costs to decide about services whose slices are packed already, one after the other as
// the controller does: 150,000 endpoints in 10,000 services, for each policy, when nothing is
// published and again when everything is (and nothing is to be written). One core.
//
//   decide_bench [REPEATS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "core/model/labels.h"
#include "kube/cache.h"
#include "slices/slice_planner.h"

namespace proxima {
namespace {

constexpr std::size_t kNodes = 5'000;
constexpr std::size_t kZones = 3;
constexpr std::size_t kServices = 10'000;
constexpr std::size_t kEndpoints = 15;  // a service

kube::LabelSetRef one_label(std::string_view key, std::string_view value) {
  std::vector<kube::LabelText> texts{{Text(key), Text(value)}};
  return kube::LabelSetRef(new kube::LabelSet(std::move(texts)));
}

struct Places {
  std::vector<Text> zones;
  std::vector<Text> nodes;
};

Places make_nodes(kube::Cache<kube::NodeRecord>& cache) {
  Places places;
  for (std::size_t z = 0; z < kZones; ++z) places.zones.emplace_back("zone-" + std::to_string(z));
  std::vector<Ref<const kube::NodeRecord>> all;
  for (std::size_t n = 0; n < kNodes; ++n) {
    auto node = make_ref<kube::NodeRecord>();
    node->meta.name = Text("node-" + std::to_string(n));
    node->labels = one_label(model::kZoneLabel, places.zones[n % kZones].view());
    node->cpu = Quantity::from_milli(4000);
    node->ready = true;
    places.nodes.push_back(node->meta.name);
    all.push_back(node);
  }
  cache.replace(all);
  return places;
}

kube::EndpointSliceRecord make_slice(const Places& places, std::size_t service) {
  kube::EndpointSliceRecord slice;
  slice.meta.ns = Text("big");
  for (std::size_t e = 0; e < kEndpoints; ++e) {
    const std::size_t node = (service * 7919 + e * 31) % kNodes;
    kube::EndpointRecord endpoint;
    endpoint.addresses.emplace_back("10.0.0." + std::to_string(e));
    endpoint.ready = endpoint.serving = model::Condition::True;
    endpoint.terminating = model::Condition::False;
    endpoint.node = places.nodes[node];
    endpoint.zone = places.zones[node % kZones];
    slice.endpoints.push_back(std::move(endpoint));
  }
  return slice;
}

double milliseconds_since(std::clock_t began) {
  return 1000.0 * static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

struct Round {
  double milliseconds = 0;
  std::size_t writes = 0;
};

using Drafts = std::vector<std::vector<slices::FamilyDraft>>;

Round decide_all(slices::SlicePlanner& planner, const char* policy, Drafts& drafts) {
  const kube::CacheSnapshot<kube::PodRecord> pods;
  std::vector<Ref<const kube::ServiceRecord>> services;
  for (std::size_t s = 0; s < kServices; ++s) {
    auto service = make_ref<kube::ServiceRecord>();
    service->meta.ns = Text("big");
    service->meta.name = Text("service-" + std::to_string(s));
    service->annotations = one_label(model::kPolicyAnnotation, policy);
    services.push_back(service);
  }
  const std::clock_t began = std::clock();
  for (std::size_t s = 0; s < kServices; ++s) {
    planner.decide(*services[s], nullptr, pods, {}, drafts[s]);
  }
  Round round{.milliseconds = milliseconds_since(began)};
  for (const auto& one : drafts) round.writes += one[0].creates.size() + one[0].updates.size();
  return round;
}

// What is written is there the next time.
void publish(Drafts& drafts) {
  for (auto& one : drafts) {
    slices::FamilyDraft next;
    next.may_be_weighted = false;
    for (auto* part : {&one[0].creates, &one[0].updates}) {
      for (slices::SliceDraft& slice : *part) {
        next.unchanged.push_back(make_ref<kube::EndpointSliceRecord>(std::move(slice.value)));
      }
    }
    for (const slices::SliceRef& slice : one[0].unchanged) next.unchanged.push_back(slice);
    one[0] = std::move(next);
  }
}

void measure(slices::SlicePlanner& planner, const Places& places, const char* policy, int repeats) {
  Drafts drafts(kServices);
  for (std::size_t s = 0; s < kServices; ++s) {
    slices::FamilyDraft draft;
    draft.may_be_weighted = false;
    draft.creates.push_back({make_slice(places, s), {}});
    drafts[s].push_back(std::move(draft));
  }
  const Round fresh = decide_all(planner, policy, drafts);
  publish(drafts);
  Round again = decide_all(planner, policy, drafts);
  for (int i = 1; i < repeats; ++i) {
    again.milliseconds =
        std::min(again.milliseconds, decide_all(planner, policy, drafts).milliseconds);
  }
  const double endpoints = static_cast<double>(kServices * kEndpoints);
  std::printf("%-18s new %7.1f ms %7zu writes   again %7.1f ms %6.0f ns an endpoint %5zu writes\n",
              policy, fresh.milliseconds, fresh.writes, again.milliseconds,
              again.milliseconds * 1e6 / endpoints, again.writes);
}

}  // namespace
}  // namespace proxima

int main(int count, char** words) {
  using namespace proxima;
  const int repeats = count > 1 ? std::atoi(words[1]) : 3;
  kube::Cache<kube::NodeRecord> nodes;
  const Places places = make_nodes(nodes);
  slices::SlicePlanner planner{plan::PlanOptions{}};
  std::clock_t began = std::clock();
  planner.set_nodes(nodes.snapshot());
  const double taken_in = milliseconds_since(began);
  began = std::clock();
  planner.set_nodes(nodes.snapshot());
  std::printf("%zu nodes taken in %.1f ms, seen to be the same %.2f ms\n", kNodes, taken_in,
              milliseconds_since(began));
  for (const char* policy :
       {"cluster-wide", "prefer-same-zone", "prefer-same-node", "auto", "zone-aware", "balanced"}) {
    measure(planner, places, policy, repeats);
  }
  return 0;
}
