// SPDX-License-Identifier: Apache-2.0
// One simulation: real controllers and node proxies with the real client, on models of the API
// server, the network, the kernels and time. Equal scenarios have equal histories.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "simulation/cluster_world.h"
#include "simulation/history.h"
#include "simulation/model_api.h"
#include "simulation/network.h"
#include "simulation/node.h"
#include "simulation/own_writes.h"
#include "simulation/ready_pods.h"
#include "simulation/replica.h"
#include "simulation/scenario.h"
#include "simulation/settled_check.h"
#include "simulation/steady_services.h"
#include "simulation/sticky_clients.h"
#include "simulation/written_endpoints.h"

namespace proxima::simulation {

struct Outcome {
  std::string violation;     // "": none
  std::uint64_t drawn = 0;   // faults that were to happen
  std::uint64_t faults = 0;  // that had an effect
  Hits hits;                 // of all kinds of happenings
  std::uint64_t steps = 0;
  Time lasted{0};
  Time settled_after{0};  // the end of the injections
  // How often checks during the faults had something to check.
  std::uint64_t routes_held_for_long = 0;
  std::uint64_t routes_held_as_read = 0;
  std::uint64_t withdrawals = 0;
  std::uint64_t plans_of_senders = 0;
  std::uint64_t splits_of_senders = 0;
  std::uint64_t quiet_requests = 0;  // while nothing was to do
  bool is_excused = false;           // from settling soon
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
  void start_writing_endpoints();
  void happen(const Injection& injection);
  void happen_to_process(const Injection& injection, Member& member);
  void happen_to_kernel(const Injection& injection);
  void connect_clients(SplitMix& dice);
  void connect(ModelKernel& kernel, const json::object& service, SplitMix& dice);
  void check_write(const AcceptedWrite& write);
  void check_published(const ApiCall& call, const json::object& slice);
  void note_lease();
  void check_withdrawn(const ApiCall& call);
  // Null: it is no controller, or is gone.
  SenderView* view_of(const std::string& process) const;
  void check_forgotten(const Connection& connection);
  void note_service(const StoreChange& change);
  void note_slice(const StoreChange& change);
  // Whether the faults may be felt long after they are over.
  bool has_excuse() const;
  void note_ever(const StoreChange& change);
  void check_bounds();
  void check_held(const Member& member);
  void check_heap(const Process& process);
  // Queues are empty when nothing has happened for a while.
  void check_idle();
  void sweep();
  // Bytes, by process.
  using Heaps = std::map<std::string, std::int64_t>;
  Heaps heaps() const;
  void check_growth(const Heaps& before, std::int64_t most, const char* since);
  void heal();
  // Runs up to that time, or to a violation.
  void run_until(Time end);
  void settle();
  // Returns what processes held when all that was under way had ended.
  Heaps stay_quiet();
  // After all faults and without any: a change reaches slices and kernels soon.
  void respond();
  std::string unsettled() const;
  std::string holder() const;
  Member* leader();
  // Null: there is none that runs.
  Member* standby();
  Member* whom(Happening happening, SplitMix& dice);
  void crash(Member& member, Happening why, Time restart_after);
  void refuse_standby(Member& standby, Time pause, SplitMix& dice);
  Member& member(SplitMix& dice);
  void restart_later(Member& member, Time delay);

  const Scenario scenario_;
  Scheduler scheduler_;
  History history_;
  ModelStore store_;
  ClusterWorld world_;
  WrittenEndpoints written_endpoints_;
  ModelApi api_;
  Hits hits_;
  Network network_;
  std::vector<std::unique_ptr<ModelKernel>> kernels_;
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<Replica*> replicas_;
  std::vector<Node*> nodes_;
  SteadyServices steady_;
  ReadyPods ready_pods_;
  OwnWrites own_writes_;
  StickyClients sticky_;
  // Who leads, as the Lease has it.
  struct Term {
    std::string holder;
    Time began{0};
    bool began_deaf = false;  // a watch of the leader was silent then, and it did not know
  };
  Term term_;
  std::set<IpAddress> addresses_ever_;  // of Services
  struct Ever {
    std::set<std::string> keys;
    std::size_t changes = 0;
  };
  std::map<std::string, Ever> ever_;  // by kind
  struct OwnWrite {
    std::string writer;
    std::uint64_t version = 0;
  };
  std::map<std::string, OwnWrite> last_writes_;  // by slice
  // Who may wait for a write that is gone before they saw it, and the version that undid it.
  std::vector<OwnWrite> undone_;
  bool healed_ = false;
  std::uint64_t writes_ = 0;  // but those of Leases
  Outcome outcome_;
};

inline Outcome simulate(const Scenario& scenario, History::Keep keep = History::Keep::Hash) {
  return Simulation(scenario, keep).run();
}

}  // namespace proxima::simulation
