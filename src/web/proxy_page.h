// SPDX-License-Identifier: Apache-2.0
// What node proxies serve of themselves, fetched over HTTP.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "net/cancellation.h"

namespace proxima::web {

inline constexpr std::uint16_t kProxyPort = 10249;  // where they usually listen, as kube-proxy

// "http://10.0.0.1:10249", of a node's address.
std::string proxy_origin(const std::string& address, std::uint16_t port);

// What one node may cost, whatever it answers.
inline constexpr std::chrono::milliseconds kProxyPageTime{5'000};
inline constexpr std::size_t kFlowsBytesMax = 8U << 20U;    // decompressed
inline constexpr std::size_t kRoutesBytesMax = 32U << 20U;  // decompressed; passed on as it is

struct ProxyPage {
  std::string node;
  std::string origin;
  std::string path;             // "/debug/routes"
  std::string token_file = {};  // read for each request, because it is renewed; "": no token
  std::size_t bytes_max = kFlowsBytesMax;
  std::chrono::milliseconds time =
      kProxyPageTime;  // for the whole answer, however steadily it comes
};

// Its text. Errors name the node and the address, and never hold the token.
Result<std::string> fetch(const ProxyPage& page, const net::Cancellation& stop);

}  // namespace proxima::web
