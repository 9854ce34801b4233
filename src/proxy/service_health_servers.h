// SPDX-License-Identifier: Apache-2.0
// The health check ports of Services, of one address family, on which load balancers ask whether
// this node has endpoints of the Service. For one thread.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "proxy/answer_doors.h"
#include "proxy/event_sink.h"
#include "proxy/health_check_ports.h"
#include "proxy/routing_rules.h"
#include "telemetry/log.h"

namespace proxima::proxy {

struct ServiceHealthOptions {
  IpFamily family = IpFamily::V4;
  std::string node_name;
  std::function<bool()> proxy_healthy;  // from any thread
  EventSink tell;
};

class ServiceHealthServers {
 public:
  // Both must outlive it.
  ServiceHealthServers(ServiceHealthOptions options, AnswerDoors& doors, const telemetry::Log& log)
      : options_(std::move(options)), doors_(doors), log_(log) {}

  // Opens, closes and updates what differs. A port that cannot be opened is told as a Warning on
  // the Service, and tried again next time.
  void sync(const std::map<HealthCheckPorts::Name, HealthCheckPort>& wanted,
            const NodePortAddresses& addresses);
  std::size_t open() const { return servers_.size(); }

 private:
  using Name = HealthCheckPorts::Name;
  struct Service {
    std::uint16_t port = 0;
    std::shared_ptr<std::atomic<std::uint32_t>> local_ready;
    std::vector<AnswerDoors::Door> open;  // an address each
  };

  Result<Service> start(const Name& name, const HealthCheckPort& wanted) const;
  void failed(const Name& name, std::uint16_t port, const Error& error);
  std::vector<AnswerAddress> listening_addresses(std::uint16_t port) const;

  ServiceHealthOptions options_;
  AnswerDoors& doors_;
  const telemetry::Log& log_;
  NodePortAddresses addresses_;
  std::map<Name, Service> servers_;
};

}  // namespace proxima::proxy
