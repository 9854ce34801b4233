// SPDX-License-Identifier: Apache-2.0
// The node proxies of a lab: one child process a node, inside its network namespace, started again
// when it dies and dead while its node has no power. Two relays a node connect it with this
// process: its proxy reaches the API at the address that the kubeconfig names, and the proxy's
// status is at a free port of this machine. Safe to use from several threads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "agents/lab_cluster.h"
#include "base/clock.h"
#include "lab/lab_network.h"
#include "lab/lab_process.h"
#include "lab/relay.h"
#include "net/cancellation.h"
#include "telemetry/log.h"

namespace proxima::cli {

struct NodeProxyOptions {
  std::string program;  // the file of this program
  std::string kubeconfig;
  std::uint16_t api_port = 0;     // that the kubeconfig names
  std::uint16_t report_port = 0;  // where the controller takes reports; 0: nowhere
  std::string logs;               // a folder: proxy-NODE.log
  int verbosity = 0;
};

class NodeProxies {
 public:
  // A proxy that dies is started again so long after its start, at the earliest.
  static constexpr std::chrono::seconds kRestartSpacing{1};
  // How often one that has no rules yet is asked.
  static constexpr std::chrono::milliseconds kAskEvery{100};

  // All must outlive it.
  struct Ports {
    const lab::LabNetwork& network;
    Clock& clock;
    const telemetry::Log& log;
  };
  static Result<std::unique_ptr<NodeProxies>> create(NodeProxyOptions options, const Ports& ports);
  ~NodeProxies();
  NodeProxies(const NodeProxies&) = delete;
  NodeProxies& operator=(const NodeProxies&) = delete;

  // For the LabCluster, which must be gone before this.
  agents::LabHooks hooks();

  // Where the node's proxy tells about itself; "": nowhere.
  std::string status_url(const std::string& node) const;
  // Whether its rules are in the kernel.
  bool ready(const std::string& node) const;
  // Nodes whose proxy should run, and those of them that are ready.
  struct Count {
    std::size_t wanted = 0;
    std::size_t ready = 0;
  };
  Count count() const;

 private:
  struct Node {
    std::optional<lab::Relay> api;
    std::optional<lab::Relay> reports;
    std::optional<lab::Relay> status;
    std::shared_ptr<lab::LabProcess> process;  // null: none lives
    std::uint64_t start = 0;                   // counts the starts of all nodes
    Clock::SteadyTime start_at;
    bool power = true;
    bool ready = false;
  };

  NodeProxies(NodeProxyOptions options, const Ports& ports)
      : options_(std::move(options)), ports_(ports) {}
  void add(const std::string& name);
  void remove(const std::string& name);
  void set_power(const std::string& name, agents::Power power);
  void on_end(const std::string& name, std::uint64_t start, const std::string& how);

  // The thread's.
  void keep();
  std::vector<std::string> due() const;
  std::vector<std::string> silent() const;
  Clock::SteadyTime next_look() const;
  void start(const std::string& name);
  void ask(const std::string& name);
  std::vector<std::string> words(const std::string& name) const;

  NodeProxyOptions options_;
  Ports ports_;
  lab::Relays relays_;
  std::unique_ptr<lab::LabProcesses> processes_;
  mutable std::mutex mutex_;
  ConditionVariable wake_;
  std::map<std::string, Node> nodes_;
  std::uint64_t starts_ = 0;
  bool ending_ = false;
  net::Cancellation stopping_;
  std::thread thread_;
};

}  // namespace proxima::cli
