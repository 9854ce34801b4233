// SPDX-License-Identifier: Apache-2.0
// Where new connections to a service port go, and in which proportion.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "base/ip_address.h"
#include "base/text.h"

namespace proxima::proxy {

struct BackendAddress {
  IpAddress address;
  std::uint16_t port = 0;
  friend auto operator<=>(const BackendAddress&, const BackendAddress&) = default;
};

struct Backend {
  BackendAddress at;
  bool local = false;        // on this node: it may reach itself through the service
  std::uint32_t weight = 1;  // > 0; only proportions within a list mean something
  Text zone;                 // none: unknown. For counting traffic by zone
  friend bool operator==(const Backend&, const Backend&) = default;
};

// By address and port, each once.
using Backends = std::vector<Backend>;

}  // namespace proxima::proxy
