// SPDX-License-Identifier: Apache-2.0
// Devices, addresses and routes of one network namespace, by rtnetlink.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/ip_prefix.h"
#include "lab/network_namespace.h"

struct mnl_socket;
struct nlmsghdr;

namespace proxima::lab {

struct DeviceAddress {
  IpAddress address;
  std::uint8_t prefix_length;
  // A link's own address is never chosen as the source of what goes further.
  enum class Reach { Everywhere, Link } reach = Reach::Everywhere;
};

struct Route {
  IpPrefix to;
  std::optional<IpAddress> via;  // none: the destination is on the link itself
  std::string device;
};

struct NewDevice {
  std::string name;
  // Of one namespace's devices. The two ends of a cable need different ones: with the same, the
  // kernel takes them for devices without another end and looks at their state once a second only.
  int index;
};

class RouteSocket {
 public:
  static Result<RouteSocket> open(const NetworkNamespace& at);

  // A cable: `near` is here, `far` in `far_at`.
  Status add_cable(const NewDevice& near, const NewDevice& far, const NetworkNamespace& far_at);
  enum class Power { Off, On };
  // Off: the other end of a cable has no carrier, and nothing passes. IPv6 addresses of the device
  // and routes through it are gone with it.
  Status set_power(const std::string& device, Power power);
  // With its other end, its addresses and the routes through it.
  Status remove_device(const std::string& device);
  // These two are content where the same is there already.
  Status add_address(const std::string& device, const DeviceAddress& address);
  Status add_route(const Route& route);

 private:
  struct Close {
    void operator()(mnl_socket* socket) const;
  };
  explicit RouteSocket(mnl_socket* socket) : socket_(socket) {}
  // Sends one request and waits for its acknowledgement.
  Status talk(nlmsghdr* message, const std::string& what);
  Result<int> index_of(const std::string& device) const;

  std::unique_ptr<mnl_socket, Close> socket_;
  unsigned sequence_ = 0;
};

}  // namespace proxima::lab
