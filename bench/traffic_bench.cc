// SPDX-License-Identifier: Apache-2.0
// What the lab's own traffic costs: 20 backends and 6 clients in Pods of 6 nodes, real packets, no
// proxy. Processor time is that of this process, with what the kernel does on its behalf; memory is
// what the process has beyond what it had before.
//
//   traffic_bench [SECONDS]
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.h"
#include "lab/lab_network.h"
#include "processor_time.h"
#include "traffic/backend_farm.h"
#include "traffic/client_fleet.h"

namespace {

using namespace proxima;

constexpr int kNodes = 6;
constexpr int kBackends = 20;
constexpr double kMostOfACore = 0.05;  // at the lab's own rate
constexpr double kLabRate = 60;

std::string status_line(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) return line.substr(name.size() + 1);
  return "0";
}

double resident_megabytes() { return std::atof(status_line("VmRSS").c_str()) / 1024; }

void wait(std::chrono::seconds time) {
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, time, [] { return false; });
}

std::string node_name(int number) { return "node-" + std::to_string(number % kNodes); }
std::string zone_name(int number) { return "zone-" + std::to_string(number % kNodes % 3); }

Result<std::vector<traffic::Target>> start_backends(lab::LabNetwork& network,
                                                    traffic::BackendFarm& farm) {
  std::vector<traffic::Target> targets;
  for (int i = 0; i < kBackends; ++i) {
    const std::string pod = "shop/web-" + std::to_string(i);
    PROXIMA_TRY(const auto addresses, network.add_pod(node_name(i), pod), pod);
    PROXIMA_TRY(
        [[maybe_unused]] const Unit started,
        farm.start({.pod = pod, .node = node_name(i), .zone = zone_name(i)}, network.inside(pod)),
        pod);
    targets.push_back({.service = "shop/web", .address = addresses.v4, .port = 8080});
  }
  return targets;
}

Status start_clients(lab::LabNetwork& network, traffic::ClientFleet& fleet) {
  for (int i = 0; i < kNodes; ++i) {
    const std::string pod = "client-" + std::to_string(i);
    PROXIMA_TRY([[maybe_unused]] const auto added, network.add_pod(node_name(i), pod), pod);
    PROXIMA_TRY(
        [[maybe_unused]] const Unit joined,
        fleet.add({.name = pod, .node = node_name(i), .zone = zone_name(i)}, network.inside(pod)),
        pod);
  }
  return Unit{};
}

// The part of a core that the rate costs.
double measure(traffic::ClientFleet& fleet, const traffic::TrafficMeter& meter, double rate,
               std::chrono::seconds time) {
  fleet.set_rate(rate);
  wait(std::chrono::seconds(2));
  const double before = processor_seconds();
  const auto began = std::chrono::steady_clock::now();
  wait(time);
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const double cost = (processor_seconds() - before) / wall;
  std::uint64_t answered = 0;
  std::uint64_t bad = 0;
  for (const traffic::Seen& seen : meter.window(time)) {
    answered += seen.requests;
    bad += seen.retried + seen.failed;
  }
  const traffic::Latency latency = meter.latency(time, "");
  std::printf(
      "%6.0f a second asked, %7.1f answered, %llu retried or failed, p50 %lld us, p99 %lld us: "
      "%.1f %% of a core, %.0f us a request\n",
      rate, static_cast<double>(answered) / static_cast<double>(time.count()),
      static_cast<unsigned long long>(bad), static_cast<long long>(latency.p50.count()),
      static_cast<long long>(latency.p99.count()), 100 * cost, 1e6 * cost / rate);
  return cost;
}

Result<bool> run(std::chrono::seconds time) {
  PROXIMA_TRY(lab::LabNetwork network, lab::LabNetwork::create(), "network");
  for (int i = 0; i < kNodes; ++i) {
    PROXIMA_TRY([[maybe_unused]] const auto added, network.add_node(node_name(i)), node_name(i));
  }
  const double before = resident_megabytes();
  const SystemClock clock;
  traffic::TrafficMeter meter(clock);
  PROXIMA_TRY(const auto farm, traffic::BackendFarm::create(), "farm");
  PROXIMA_TRY(const auto fleet, traffic::ClientFleet::create(meter), "fleet");
  PROXIMA_TRY(auto targets, start_backends(network, *farm), "backends");
  PROXIMA_TRY([[maybe_unused]] const Unit started, start_clients(network, *fleet), "clients");
  fleet->set_targets(std::move(targets));
  const double idle = measure(*fleet, meter, kLabRate, time);
  std::printf("memory %.1f MB, threads %s\n", resident_megabytes() - before,
              status_line("Threads").c_str());
  (void)measure(*fleet, meter, 1000, time);
  std::printf("memory %.1f MB\n", resident_megabytes() - before);
  return idle <= kMostOfACore;
}

}  // namespace

int main(int argc, char** argv) {
  const int time = argc > 1 ? std::atoi(argv[1]) : 10;
  const auto kept = run(std::chrono::seconds(time < 1 ? 1 : time));
  if (!kept) {
    std::printf("not measured: %s\n", kept.error().message.c_str());
    return kept.error().code == ErrorCode::Denied ? 0 : 1;
  }
  return *kept ? 0 : 1;
}
