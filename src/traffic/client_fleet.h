// SPDX-License-Identifier: Apache-2.0
// HTTP clients of many Pods, each with its sockets inside its Pod's network namespace, all driven
// by one thread. Requests begin when they are due, however long others take (open loop); each has a
// connection of its own. What they saw goes to a meter. Safe for concurrent use.
//
// A request is tried again after a connection that is refused, reset or not there in time, and
// after an answer that does not come, until its budget ends. It fails when the budget ends or the
// answer is wrong: not 200, not HTTP, or without the name of a Pod.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/ip_address.h"
#include "base/result.h"
#include "base/run_inside.h"
#include "traffic/traffic_meter.h"

namespace proxima::traffic {

struct ClientSpec {
  std::string name;  // the fleet's key
  std::string node;
  std::string zone;

  friend bool operator==(const ClientSpec&, const ClientSpec&) = default;
};

struct Target {
  std::string service;  // "shop/even"
  IpAddress address;
  std::uint16_t port = 80;
  double share = 1;  // of a client's requests, against the shares of the others

  friend bool operator==(const Target&, const Target&) = default;
};

struct ClientFleetOptions {
  std::uint64_t seed = 1;  // of the moments within which requests fall due
  std::chrono::milliseconds connect_timeout{250};
  std::chrono::milliseconds answer_timeout{1'000};  // from the connection to the whole answer
  std::chrono::milliseconds budget{5'000};          // of a request with all its tries
  std::size_t under_way_max = 1024;                 // requests at once; one more fails as it begins
};

class ClientFleet {
 public:
  // `meter` outlives the fleet. An error: the system has no descriptors left.
  static Result<std::unique_ptr<ClientFleet>> create(TrafficMeter& meter,
                                                     ClientFleetOptions options = {});
  virtual ~ClientFleet() = default;  // what is under way is dropped, uncounted

  // The client begins when there are targets, demand for its zone and a rate. An error names the
  // client: it exists (Conflict), or no socket can be made inside.
  virtual Status add(const ClientSpec& spec, const RunInside& inside) = 0;
  // After it has returned `inside` is not used any more and no socket is left. What was under way
  // is dropped, uncounted: nobody is there to see an answer. An unknown client is fine.
  virtual void remove(const std::string& name) = 0;

  // Requests under way to what is no target any more go on.
  virtual void set_targets(std::vector<Target> targets) = 0;
  // The part of the rate that comes from each zone, split evenly among its clients. A zone that is
  // not named, or has no client, contributes nothing, and the others keep their own. Before the
  // first call: an even part for each zone that has clients.
  virtual void set_demand(std::map<std::string, double> shares) = 0;
  // Of all clients together, requests a second.
  virtual void set_rate(double requests_per_second) = 0;
};

}  // namespace proxima::traffic
