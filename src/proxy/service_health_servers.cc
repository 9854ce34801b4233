// SPDX-License-Identifier: Apache-2.0
#include "proxy/service_health_servers.h"

namespace proxima::proxy {

std::vector<AnswerAddress> ServiceHealthServers::listening_addresses(std::uint16_t port) const {
  if (!addresses_.restricted) {
    const bool v4 = options_.family == IpFamily::V4;
    return {{.address = v4 ? "0.0.0.0" : "::", .port = port, .v6_only = true}};
  }
  std::vector<AnswerAddress> all;
  for (const IpAddress& address : addresses_.addresses)
    all.push_back({.address = address.text(), .port = port, .v6_only = true});
  return all;
}

Result<ServiceHealthServers::Service> ServiceHealthServers::start(
    const Name& name, const HealthCheckPort& wanted) const {
  Service service{.port = wanted.node_port,
                  .local_ready = std::make_shared<std::atomic<std::uint32_t>>(wanted.local_ready),
                  .open = {}};
  for (const AnswerAddress& at : listening_addresses(wanted.node_port)) {
    auto door = doors_.open(at, [name, ready = service.local_ready,
                                 healthy = options_.proxy_healthy](auto) {
      return service_health_answer(name.first.view(), name.second.view(), ready->load(), healthy());
    });
    if (!door) return std::move(door).error();
    service.open.push_back(std::move(*door));
  }
  return service;
}

void ServiceHealthServers::failed(const Name& name, std::uint16_t port, const Error& error) {
  const std::string service =
      std::string(name.first.view()) + "/" + std::string(name.second.view());
  log_.error("Failed to start healthcheck", error.message,
             {{"node", options_.node_name}, {"service", service}, {"port", port}});
  options_.tell({.about = {.api_version = "v1",
                           .kind = "Service",
                           .ns = std::string(name.first.view()),
                           .name = std::string(name.second.view()),
                           .uid = {},
                           .resource_version = {},
                           .field_path = {}},
                 .type = kube::EventType::Warning,
                 .reason = "FailedToStartServiceHealthcheck",
                 .message = "node " + options_.node_name + " failed to start healthcheck \"" +
                            service + "\" on port " + std::to_string(port) + ": " + error.message});
}

void ServiceHealthServers::sync(const std::map<Name, HealthCheckPort>& wanted,
                                const NodePortAddresses& addresses) {
  if (!(addresses_ == addresses)) servers_.clear();
  addresses_ = addresses;
  // All that go before any that come: a port may pass from one Service to another.
  std::erase_if(servers_, [&](const auto& entry) {
    const auto found = wanted.find(entry.first);
    return found == wanted.end() || found->second.node_port != entry.second.port;
  });
  for (const auto& [name, port] : wanted) {
    const auto open = servers_.find(name);
    if (open != servers_.end()) {
      open->second.local_ready->store(port.local_ready);
      continue;
    }
    auto started = start(name, port);
    if (started) {
      servers_.emplace(name, std::move(*started));
    } else {
      failed(name, port.node_port, started.error());
    }
  }
}

}  // namespace proxima::proxy
