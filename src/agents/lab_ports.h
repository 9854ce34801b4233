// SPDX-License-Identifier: Apache-2.0
// What the agents do to the machines of a lab and to the programs on them. Filled over namespaces
// and real sockets by lab_programs.h, and by fakes in tests. Called by one thread only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/ip_address.h"
#include "base/result.h"

namespace proxima::agents {

enum class Power { On, Off };

// One of each family.
struct MachineAddresses {
  IpAddress v4;
  IpAddress v6;
  friend bool operator==(const MachineAddresses&, const MachineAddresses&) = default;
};

class LabMachines {
 public:
  virtual ~LabMachines() = default;
  virtual Result<MachineAddresses> add_node(const std::string& node) = 0;
  // With its Pods.
  virtual Status remove_node(const std::string& node) = 0;
  // Off: nothing passes its cable any more.
  virtual Status set_power(const std::string& node, Power power) = 0;
  // `pod` is "shop/web-1".
  virtual Result<MachineAddresses> add_pod(const std::string& node, const std::string& pod) = 0;
  virtual Status remove_pod(const std::string& pod) = 0;
};

// Whom a program works for.
struct PodPlace {
  std::string pod;
  std::string node;
  std::string zone;
};

// Where clients send requests.
struct ServiceTarget {
  std::string service;  // "shop/even"
  IpAddress address;
  std::uint16_t port = 0;
  double share = 0;  // of all requests; they add up to 1

  friend bool operator==(const ServiceTarget&, const ServiceTarget&) = default;
};

// The network of the Pod, or of the node, is there when a program is started.
class LabPrograms {
 public:
  virtual ~LabPrograms() = default;
  virtual Status start_backend(const PodPlace& place, std::uint16_t port) = 0;
  // What is under way is finished.
  virtual void stop_backend(const std::string& pod) = 0;
  // Dies at once.
  virtual void cut_backend(const std::string& pod) = 0;
  virtual Status start_client(const PodPlace& place) = 0;
  virtual void stop_client(const std::string& pod) = 0;
  virtual void set_targets(const std::vector<ServiceTarget>& targets) = 0;
  // Requests a second of all clients together, and the share of each zone in it.
  virtual void set_demand(double requests_per_second,
                          const std::map<std::string, double>& zones) = 0;
};

}  // namespace proxima::agents
