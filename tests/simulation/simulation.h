// SPDX-License-Identifier: Apache-2.0
// One simulation: real controllers and node proxies with the real client, on models of the API
// server, the network, the kernels and time. Equal scenarios have equal histories.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "simulation/cluster_world.h"
#include "simulation/history.h"
#include "simulation/model_api.h"
#include "simulation/network.h"
#include "simulation/node.h"
#include "simulation/replica.h"
#include "simulation/scenario.h"

namespace proxima::simulation {

struct Outcome {
  std::string violation;     // "": none
  std::uint64_t faults = 0;  // that took effect
  std::uint64_t steps = 0;
  Time lasted{0};
  Time settled_after{0};  // the end of the injections
  std::uint64_t hash = 0;
  std::vector<std::string> history;  // when it was asked for
};

class Simulation {
 public:
  Simulation(const Scenario& scenario, History::Keep keep);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  Outcome run();

 private:
  void violated(const std::string& what);
  void start();
  void happen(const Injection& injection);
  void happen_to_process(const Injection& injection, Member& member);
  void happen_to_kernel(const Injection& injection);
  void connect_clients(SplitMix& dice);
  void check_write(const AcceptedWrite& write);
  void check_forgotten(const Connection& connection);
  void note_serving(const StoreChange& change);
  void check_bounds();
  void sweep();
  void heal();
  // Runs up to that time, or to a violation.
  void run_until(Time end);
  void settle();
  void stay_quiet();
  std::string unsettled() const;
  std::string holder() const;
  Member* leader();
  Member& member(SplitMix& dice);
  void restart_later(Member& member, Time delay);

  const Scenario scenario_;
  Scheduler scheduler_;
  History history_;
  ModelStore store_;
  ClusterWorld world_;
  ModelApi api_;
  Network network_;
  std::vector<std::unique_ptr<ModelKernel>> kernels_;
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<Replica*> replicas_;
  std::vector<Node*> nodes_;
  // Since when an address is in the slices of a Service and serves, by both.
  std::map<std::pair<std::string, std::string>, Time> serving_since_;
  bool healed_ = false;
  std::uint64_t writes_ = 0;  // but those of Leases
  std::uint64_t faults_ = 0;
  Outcome outcome_;
};

inline Outcome simulate(const Scenario& scenario, History::Keep keep = History::Keep::Hash) {
  return Simulation(scenario, keep).run();
}

}  // namespace proxima::simulation
