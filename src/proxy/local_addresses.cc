// SPDX-License-Identifier: Apache-2.0
#include "proxy/local_addresses.h"

#include <ifaddrs.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <system_error>

namespace proxima::proxy {
namespace {

std::optional<IpAddress> address_of(const sockaddr* socket) {
  if (socket == nullptr) return std::nullopt;
  std::array<std::uint8_t, 16> bytes{};
  if (socket->sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, socket, sizeof v4);
    std::memcpy(bytes.data(), &v4.sin_addr, sizeof v4.sin_addr);
    return IpAddress::from_bytes(IpFamily::V4, bytes);
  }
  if (socket->sa_family == AF_INET6) {
    sockaddr_in6 v6{};
    std::memcpy(&v6, socket, sizeof v6);
    std::memcpy(bytes.data(), &v6.sin6_addr, sizeof v6.sin6_addr);
    return IpAddress::from_bytes(IpFamily::V6, bytes);
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<IpAddress>> fetch_local_addresses() {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0)
    return Error{ErrorCode::Retry,
                 "list the addresses of this host: " + std::generic_category().message(errno)};
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owned(list, ::freeifaddrs);
  std::vector<IpAddress> all;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (const auto address = address_of(entry->ifa_addr)) all.push_back(*address);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace proxima::proxy
