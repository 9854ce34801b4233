// SPDX-License-Identifier: Apache-2.0
// What node proxies serve of themselves, fetched over HTTP.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "net/cancellation.h"

namespace proxima::web {

inline constexpr std::uint16_t kProxyPort = 10249;  // where they usually listen, as kube-proxy

// "http://10.0.0.1:10249", of a node's address.
std::string proxy_origin(const std::string& address, std::uint16_t port);

struct ProxyPage {
  std::string node;
  std::string origin;
  std::string path;  // "/debug/routes"
};

// Its text. Errors name the node and the address.
Result<std::string> fetch(const ProxyPage& page, const net::Cancellation& stop);

}  // namespace proxima::web
