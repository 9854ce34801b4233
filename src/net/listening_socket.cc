// SPDX-License-Identifier: Apache-2.0
#include "net/listening_socket.h"

#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/ip_address.h"
#include "net/socket_address.h"

namespace proxima::net {

namespace {

struct Place {
  IpAddress address;
  std::uint16_t port;
  WildcardFamilies families;
};

bool listens(int descriptor, const Place& place) {
  const SocketAddress at(place.address, place.port);
  const int on = 1;
  const int only_v6 = place.families == WildcardFamilies::Ipv6Only ? 1 : 0;
  if (place.address.family() == IpFamily::V6 &&
      setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &only_v6, sizeof only_v6) != 0) {
    return false;
  }
  return setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
         bind(descriptor, at.get(), at.size()) == 0 && listen(descriptor, SOMAXCONN) == 0;
}

std::uint16_t port_of(int descriptor) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return 0;
  sockaddr_in6 v6{};  // the port stands at the same place in both families
  std::memcpy(&v6, &storage, std::min<std::size_t>(size, sizeof v6));
  return ntohs(v6.sin6_port);
}

}  // namespace

ListeningSocket::ListeningSocket(ListeningSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), port_(other.port_), is_v6_(other.is_v6_) {}

ListeningSocket& ListeningSocket::operator=(ListeningSocket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(port_, other.port_);
  std::swap(is_v6_, other.is_v6_);
  return *this;
}

ListeningSocket::~ListeningSocket() {
  if (descriptor_ >= 0) close(descriptor_);
}

int ListeningSocket::release() { return std::exchange(descriptor_, -1); }

Result<ListeningSocket> ListeningSocket::open(const std::string& address, std::uint16_t port,
                                              WildcardFamilies families) {
  const std::string where = "listen on " + (address.empty() ? "every address" : address) +
                            ", port " + std::to_string(port);
  PROXIMA_TRY(const IpAddress ip, IpAddress::parse(address.empty() ? "::" : address), where);
  const bool is_v6 = ip.family() == IpFamily::V6;
  const int family = is_v6 ? AF_INET6 : AF_INET;
  ListeningSocket made(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), is_v6);
  if (made.descriptor_ >= 0 && listens(made.descriptor_, {ip, port, families})) {
    made.port_ = port_of(made.descriptor_);
    return made;
  }
  const int reason = errno;
  if (address.empty() && (reason == EAFNOSUPPORT || reason == EADDRNOTAVAIL)) {
    return open("0.0.0.0", port);
  }
  return Error{reason == EACCES ? ErrorCode::Denied : ErrorCode::InvalidInput,
               where + ": " + std::strerror(reason)};
}

void turn_newcomers_away(int listening_descriptor) {
  constexpr unsigned kFlagsAt = 13;  // in a TCP header, where the filter's view begins
  constexpr unsigned kAck = 0x10;
  std::array<sock_filter, 4> program = {{
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, kFlagsAt),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kAck, 0, 1),  // a first SYN alone has no ACK
      BPF_STMT(BPF_RET | BPF_K, 0xffffffffU),
      BPF_STMT(BPF_RET | BPF_K, 0),
  }};
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  // Without the filter somebody might be reset in the blink between two calls, and tries again.
  (void)setsockopt(listening_descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter);
}

}  // namespace proxima::net
