// SPDX-License-Identifier: Apache-2.0
// What a lab's network costs: three zones of two nodes with 30 Pods, made LABS times beside each
// other; one Pod more and one less; the power of a node. Kernel memory is the whole machine's, so
// other work at the same time shows in it.
//
//   lab_bench [LABS]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "lab/lab_network.h"
#include "processor_time.h"

namespace {

using namespace proxima;

constexpr int kNodes = 6;
constexpr int kPods = 30;
constexpr int kHosts = 1 + kNodes + kPods;
constexpr double kMostProcessorSeconds = 0.5;  // a lab

// In kilobytes: what the kernel cannot give back.
double kernel_memory() {
  std::ifstream file("/proc/meminfo");
  double sum = 0;
  for (std::string line; std::getline(file, line);)
    for (const char* name : {"SUnreclaim:", "Percpu:", "VmallocUsed:"})
      if (line.starts_with(name)) sum += std::atof(line.c_str() + std::string(name).size());
  return sum;
}

template <class Work>
double milliseconds(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  return time.count();
}

std::string node_name(int number) { return "node-" + std::to_string(number % kNodes); }

Result<lab::LabNetwork> make_lab() {
  PROXIMA_TRY(lab::LabNetwork network, lab::LabNetwork::create(), "lab");
  for (int i = 0; i < kNodes; ++i) {
    PROXIMA_TRY([[maybe_unused]] const auto added, network.add_node(node_name(i)), "lab");
  }
  for (int i = 0; i < kPods; ++i) {
    PROXIMA_TRY([[maybe_unused]] const auto added,
                network.add_pod(node_name(i), "pod-" + std::to_string(i)), "lab");
  }
  return network;
}

// False: one of them failed.
bool measure_changes(lab::LabNetwork& network) {
  bool right = true;
  const double more = milliseconds([&] { right &= network.add_pod("node-1", "more").has_value(); });
  const double less = milliseconds([&] { right &= network.remove_pod("more").has_value(); });
  const double off = milliseconds([&] { right &= network.set_power("node-1", false).has_value(); });
  const double on = milliseconds([&] { right &= network.set_power("node-1", true).has_value(); });
  std::printf("a Pod more %.1f ms, less %.1f ms; power off %.1f ms, on %.1f ms\n", more, less, off,
              on);
  return right;
}

Result<bool> run(int labs) {
  const double memory = kernel_memory();
  const double processor = processor_seconds();
  std::vector<lab::LabNetwork> made;
  Status failed = Unit{};
  const double time = milliseconds([&] {
    for (int i = 0; i < labs && failed; ++i) {
      auto network = make_lab();
      if (network)
        made.push_back(std::move(network).value());
      else
        failed = network.error();
    }
  });
  if (!failed) return failed.error();
  const double used = (processor_seconds() - processor) / labs;
  std::printf("%d hosts: %.0f ms, %.0f ms of processor time, %.0f kB of kernel memory a host\n",
              kHosts, time / labs, 1000 * used, (kernel_memory() - memory) / labs / kHosts);
  return measure_changes(made.front()) && used <= kMostProcessorSeconds;
}

}  // namespace

int main(int argc, char** argv) {
  const int labs = argc > 1 ? std::atoi(argv[1]) : 5;
  const auto kept = run(labs < 1 ? 1 : labs);
  if (!kept) {
    std::printf("not measured: %s\n", kept.error().message.c_str());
    return kept.error().code == ErrorCode::Denied ? 0 : 1;
  }
  return *kept ? 0 : 1;
}
