// SPDX-License-Identifier: Apache-2.0
// Ways between the ports of a lab's hosts and those of the process's own network namespace, which
// no cable connects.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "lab/network_namespace.h"

namespace proxima::net {
class StreamRelay;
}

namespace proxima::lab {

// Open as long as it lives; its end ends its connections.
class Relay {
 public:
  Relay(Relay&& other) noexcept;
  Relay& operator=(Relay&& other) noexcept;
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;
  ~Relay();

  // Where it listens.
  std::uint16_t port() const { return port_; }

 private:
  friend class Relays;
  Relay(std::shared_ptr<net::StreamRelay> relay, std::uint64_t number, std::uint16_t port);
  void close();

  std::shared_ptr<net::StreamRelay> relay_;
  std::uint64_t number_;
  std::uint16_t port_;
};

// One thread for all. Addresses are 127.0.0.1 on both sides where nothing else is said.
class Relays {
 public:
  using Host = std::shared_ptr<const NetworkNamespace>;

  // To be made, and listen_here() to be called, on a thread of the process's own namespace.
  Relays();

  // What comes to `port` of `address` inside the host (0: any free one) goes to `to_port` here.
  Result<Relay> listen_inside(const Host& host, std::uint16_t port, std::uint16_t to_port,
                              const std::string& address = "127.0.0.1");
  // What comes to a free port here goes to `to_port` inside the host.
  Result<Relay> listen_here(const Host& host, std::uint16_t to_port);

 private:
  std::shared_ptr<net::StreamRelay> relay_;
};

}  // namespace proxima::lab
