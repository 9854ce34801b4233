// SPDX-License-Identifier: Apache-2.0
// The pure half of the node proxy: all routes of a node from scratch, and one changed slice, at
// three sizes. The second must not depend on the number of Services: the bar is what ten times as
// many may add to it.
//
//   routes_bench [REPEATS]
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "proxy/node_routes.h"
#include "proxy/slot_assignment.h"

namespace {

using namespace proxima;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kEndpoints = 15;
constexpr double kMostGrowth = 3;

IpAddress address(unsigned a, std::size_t number) {
  return *IpAddress::parse(std::to_string(a) + "." + std::to_string(number >> 16U & 255U) + "." +
                           std::to_string(number >> 8U & 255U) + "." +
                           std::to_string(number & 255U));
}

std::string name_of(std::size_t service) { return "service-" + std::to_string(service); }

proxy::ServiceRef make_service(std::size_t number) {
  auto record = make_ref<kube::ServiceRecord>();
  record->meta.ns = Text("namespace-" + std::to_string(number % 50));
  record->meta.name = Text(name_of(number));
  record->cluster_ips = {address(172, number)};
  record->ip_families = {IpFamily::V4};
  record->ports.push_back({.name = Text("http"), .port = 80});
  return record;
}

// `turn` decides which endpoint of this node's zone is not ready.
proxy::SliceRef make_slice(std::size_t number, std::size_t turn) {
  auto record = make_ref<kube::EndpointSliceRecord>();
  record->meta.ns = Text("namespace-" + std::to_string(number % 50));
  record->meta.name = Text(name_of(number) + "-abcde");
  record->meta.version = turn;
  record->service = Text(name_of(number));
  record->ports.push_back(
      {.name = Text("http"), .protocol = Text("TCP"), .port = 8080, .app_protocol = {}});
  for (std::size_t i = 0; i < kEndpoints; ++i) {
    kube::EndpointRecord& endpoint = record->endpoints.emplace_back();
    endpoint.addresses.emplace_back(address(10, number * kEndpoints + i).text());
    endpoint.node = Text("node-" + std::to_string(i));
    endpoint.zone = Text("zone-" + std::to_string(i % 3));
    endpoint.zone_hints = {endpoint.zone};
    if (i == turn % (kEndpoints / 3) * 3 + 1) endpoint.ready = model::Condition::False;
  }
  return record;
}

double milliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}
// Of this process: others may be busy.
double processor_milliseconds() {
  return static_cast<double>(std::clock()) * 1000 / CLOCKS_PER_SEC;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Figures {
  double scratch_milliseconds = 0;
  double change_microseconds = 0;
  double slots_microseconds = 0;
  double megabytes = 0;
};

// All slots of the changed port, from those it had.
void move_slots(const proxy::RouteChanges& changes, proxy::SlotAssignment& slots) {
  for (const proxy::PortChange& change : changes.ports)
    slots = proxy::assign_slots({.backends = change.after->cluster, .previous = &slots});
}

Figures measure(std::size_t services, std::size_t repeats) {
  std::vector<proxy::ServiceRef> made;
  std::vector<proxy::SliceRef> slices;
  for (std::size_t i = 0; i < services; ++i) {
    made.push_back(make_service(i));
    slices.push_back(make_slice(i, 0));
  }
  Figures figures;
  proxy::RoutingRules rules;
  const auto before = mallinfo2().uordblks;
  const double start = processor_milliseconds();
  proxy::NodeRoutes routes({.proxy_name = "", .rules = {rules}});
  routes.set_node({.name = Text("node-1"), .zone = Text("zone-1")});
  for (std::size_t i = 0; i < services; ++i) {
    routes.change_service({}, made[i]);
    routes.change_slice({}, slices[i]);
  }
  std::size_t changed = routes.update().at(0).changes.ports.size();
  figures.scratch_milliseconds = processor_milliseconds() - start;
  figures.megabytes = static_cast<double>(mallinfo2().uordblks - before) / 1e6;

  std::vector<double> changes, slot_times;
  std::vector<proxy::SlotAssignment> slots(services);
  for (std::size_t turn = 1; turn <= repeats; ++turn) {
    const std::size_t which = turn * 7919 % services;
    const proxy::SliceRef after = make_slice(which, turn + turn / services);
    const auto at = Clock::now();
    routes.change_slice(slices[which], after);
    const auto told = routes.update();
    changes.push_back(milliseconds(at) * 1000);
    const auto slots_at = Clock::now();
    move_slots(told.at(0).changes, slots[which]);
    slot_times.push_back(milliseconds(slots_at) * 1000);
    changed += told.at(0).changes.ports.size();
    slices[which] = after;
  }
  if (changed < services) std::abort();
  figures.change_microseconds = median(changes);
  figures.slots_microseconds = median(slot_times);
  return figures;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t repeats = argc > 1 ? std::strtoul(argv[1], nullptr, 10) * 100 : 1500;
  std::vector<double> changes;
  for (const std::size_t services : {100U, 1'000U, 10'000U}) {
    const Figures figures = measure(services, repeats);
    std::printf(
        "%6zu services x %zu endpoints: from scratch %7.2f ms, %6.1f MB; one slice %5.1f us, "
        "its slots %4.1f us\n",
        services, kEndpoints, figures.scratch_milliseconds, figures.megabytes,
        figures.change_microseconds, figures.slots_microseconds);
    changes.push_back(figures.change_microseconds);
  }
  return changes[2] <= changes[1] * kMostGrowth ? 0 : 1;
}
