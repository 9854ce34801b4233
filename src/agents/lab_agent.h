// SPDX-License-Identifier: Apache-2.0
// One agent for all nodes of a lab: scheduler, kubelets and node controller. Changes of the cluster
// and of wishes only wake it; it looks at everything then and does what is due, one thing after the
// other, so that machines and programs have one master. Methods may be called from any thread.
#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <thread>

#include "agents/lab_caches.h"
#include "agents/lab_cluster.h"
#include "agents/lab_wishes.h"
#include "agents/node_keeper.h"
#include "agents/pod_keeper.h"
#include "kube/event_recorder.h"

namespace proxima::agents {

class LabAgent {
 public:
  // Everything given must outlive it.
  LabAgent(const LabOptions& options, const LabPorts& ports);
  ~LabAgent() { stop(); }
  LabAgent(const LabAgent&) = delete;
  LabAgent& operator=(const LabAgent&) = delete;

  void start();
  void stop();

  // Changes the wishes and waits until they are done. An error: that took too long.
  Status change(const std::function<void(LabWishes&)>& change);
  LabWishes wishes() const;
  AgentView view() const;
  bool has_synced() const { return caches_.have_synced(); }
  LabApi& api() { return api_; }

  // What the agent itself knows after a pass.
  struct Progress {
    std::size_t nodes = 0;
    std::size_t clients = 0;  // that make requests
    std::set<std::string> targets;
  };
  // Waits, looking after every pass, until `done` says so. False: `deadline` came first, or it was
  // stopped.
  bool wait_for(Clock::SteadyTime deadline, const std::function<bool(const Progress&)>& done);

 private:
  void run();
  bool is_stopping() const;
  void wake();
  Clock::SteadyTime pass();
  LabWishes wishes_for(const AgentView& view);
  void direct_traffic(const AgentView& view, const LabWishes& wishes);
  void direct_demand(const LabWishes& wishes);
  Progress progress() const;

  LabPorts ports_;
  LabHooks hooks_;
  LabApi api_;
  LabCaches caches_;
  kube::EventRecorder events_;

  // The thread's own.
  WriteBook book_;
  PodKeeper pods_;
  NodeKeeper nodes_;
  std::vector<ServiceTarget> targets_;
  DemandShares demand_;
  double requests_per_second_ = -1;  // not told yet

  std::mutex life_;  // of start() and stop() alone
  mutable std::mutex mutex_;
  ConditionVariable changed_;  // for the thread
  ConditionVariable passed_;   // a pass is over
  LabWishes wishes_;
  Progress progress_;
  std::uint64_t wished_ = 0;     // changes of wishes_
  std::uint64_t fulfilled_ = 0;  // of them, after a pass
  bool dirty_ = true;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace proxima::agents
