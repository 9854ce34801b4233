// SPDX-License-Identifier: Apache-2.0
// The whole plan of a cluster, for each policy and three sizes: time, time an endpoint, and how
// many allocations the planning loop makes. One core.
//
//   plan_bench [REPEATS]
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>
#include <string>
#include <vector>

#include "core/model/snapshot_builder.h"
#include "core/plan/cluster_plan.h"

namespace {

std::atomic<std::size_t> allocations{0};

}  // namespace

// Counting is all this program adds to the ordinary allocator.
void* operator new(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(bytes)) return memory;
  std::abort();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace proxima {
namespace {

using policy::PolicyKind;

constexpr std::size_t kEndpointsPerService = 15;
constexpr std::size_t kZones = 3;

struct Mix {
  std::uint64_t state;
  // splitmix64: the same cluster on every machine.
  std::size_t below(std::size_t n) {
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<std::size_t>((z ^ (z >> 31)) % n);
  }
};

model::SnapshotPtr make_cluster(std::size_t nodes, std::size_t services) {
  model::SnapshotBuilder builder;
  auto& names = builder.names();
  Mix mix{7};
  std::vector<NameId> node_names, zone_names;
  for (std::size_t z = 0; z < kZones; ++z) {
    zone_names.push_back(names.intern("zone-" + std::string(1, static_cast<char>('a' + z))));
  }
  const NameId zone_label = names.intern(model::kZoneLabel);
  std::vector<std::size_t> zone_of;
  for (std::size_t n = 0; n < nodes; ++n) {
    node_names.push_back(names.intern("node-" + std::to_string(n)));
    zone_of.push_back(mix.below(kZones));
    model::NodeDraft node{
        .name = node_names.back(),
        .labels = {{zone_label, zone_names[zone_of.back()]}},
        .cpu = Quantity::from_milli(static_cast<std::int64_t>(4000 + mix.below(5) * 4000)),
        .ready = true};
    builder.add(node);
  }
  const NameId ns = names.intern("default");
  for (std::size_t s = 0; s < services; ++s) {
    model::ServiceDraft service;
    service.ns = ns;
    service.service.name = names.intern("service-" + std::to_string(s));
    service.service.has_selector = true;
    builder.add(service);
    model::SliceDraft slice{.ns = ns,
                            .name = names.intern("service-" + std::to_string(s) + "-x"),
                            .service = service.service.name};
    for (std::size_t e = 0; e < kEndpointsPerService; ++e) {
      const std::size_t node = mix.below(nodes);
      slice.endpoints.push_back({.node = node_names[node],
                                 .zone = zone_names[zone_of[node]],
                                 .ready = model::Condition::True,
                                 .serving = model::Condition::True,
                                 .terminating = model::Condition::False,
                                 .weight = 1});
    }
    builder.add(slice);
  }
  return builder.build();
}

// Of this process: what else the machine does is not the planner's doing.
double cpu_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Measured {
  double milliseconds = 0;  // median
  std::size_t allocations = 0;
};

Measured measure(const model::SnapshotPtr& snapshot, PolicyKind policy, int repeats) {
  plan::PlanOptions options;
  options.forced = policy;
  std::vector<double> times;
  Measured out;
  for (int i = 0; i < repeats; ++i) {
    const std::size_t before = allocations.load();
    const double start = cpu_milliseconds();
    const auto planned = plan::plan_cluster(snapshot, options);
    const double end = cpu_milliseconds();
    out.allocations = allocations.load() - before;
    times.push_back(end - start);
    if (planned.services.size() != snapshot->services.size()) std::abort();
  }
  std::sort(times.begin(), times.end());
  out.milliseconds = times[times.size() / 2];
  return out;
}

int run(int repeats) {
  std::printf("%-18s %9s %9s %10s %12s %14s\n", "POLICY", "SERVICES", "ENDPOINTS", "CPU (ms)",
              "NS/ENDPOINT", "ALLOCATIONS");
  for (const std::size_t services : {100UL, 1000UL, 10000UL}) {
    const auto snapshot = make_cluster(services / 2, services);
    for (PolicyKind policy : policy::kAllPolicies) {
      const Measured got = measure(snapshot, policy, repeats);
      const auto endpoints = static_cast<double>(snapshot->endpoints.size());
      std::printf("%-18s %9zu %9zu %10.3f %12.1f %14zu\n",
                  std::string(policy::to_text(policy)).c_str(), services,
                  snapshot->endpoints.size(), got.milliseconds, got.milliseconds * 1e6 / endpoints,
                  got.allocations);
    }
  }
  return 0;
}

}  // namespace
}  // namespace proxima

int main(int argc, char** argv) { return proxima::run(argc > 1 ? std::atoi(argv[1]) : 15); }
