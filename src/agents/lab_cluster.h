// SPDX-License-Identifier: Apache-2.0
// A lab and everything that can be done to it: the facade that `proxima up`, `proxima lab` and the
// page act through. What concerns the cluster itself goes through the Kubernetes API, so that
// kubectl does the same; power and demand are the lab's own. Methods may be called from any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "agents/lab_hooks.h"
#include "agents/lab_ports.h"
#include "agents/lab_shape.h"
#include "agents/lab_status.h"
#include "base/clock.h"
#include "base/result.h"
#include "kube/api.h"
#include "telemetry/log.h"

namespace proxima::agents {

struct LabOptions {
  LabShape shape = default_shape();
  LabHooks hooks;
  std::chrono::milliseconds request_timeout{5'000};  // of each API request
  std::uint64_t seed = 0;                            // of all jitter
};

// What it works with; everything must outlive it.
struct LabPorts {
  kube::KubeApi& api;
  LabMachines& machines;
  LabPrograms& programs;
  Clock& clock;
  const telemetry::Log& log;
};

// Whom heal() brings back.
struct HealTarget {
  enum class Kind { Everything, Zone, Node };
  Kind kind = Kind::Everything;
  std::string name;
};

class LabCluster {
 public:
  // An error: a shape that cannot be, with the field's name.
  static Result<std::unique_ptr<LabCluster>> create(LabOptions options, const LabPorts& ports);
  // Stops it.
  virtual ~LabCluster() = default;

  // Writes the shape's objects, unless a lab was made in this API before: that one goes on as it
  // was. Then the agents begin to work.
  virtual Status start() = 0;
  // Ends all threads, backends and clients. Objects, and the network, stay.
  virtual void stop() = 0;
  // Waits until every Pod that should run is Ready, the first clients have a proxy, and every
  // Service has its traffic. False: `deadline` came first.
  virtual bool wait_until_ready(Clock::SteadyTime deadline) = 0;

  // The name of the new node; its zone must have nodes already.
  virtual Result<std::string> add_node(const std::string& zone) = 0;
  // How many Pods of a Service ("shop/even") there should be in a zone; others stay as they are.
  virtual Status scale(const std::string& service,
                       const std::map<std::string, std::size_t>& zones) = 0;
  // A power cut: the cable is down, proxy and backends are dead, clients silent.
  virtual Status kill_node(const std::string& node) = 0;
  virtual Status fail_zone(const std::string& zone) = 0;
  virtual Status heal(const HealTarget& target) = 0;
  // Shares from 0 to 1. Zones that are not named divide the rest as they did before.
  virtual Status set_demand(const std::map<std::string, double>& zones) = 0;
  virtual Status set_rate(double requests_per_second) = 0;
  // Without a policy the Service's annotations are taken away.
  virtual Status set_policy(const std::string& service, const std::optional<std::string>& policy,
                            const std::optional<double>& overload) = 0;

  virtual LabStatus status() const = 0;
};

}  // namespace proxima::agents
