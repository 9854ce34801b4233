// SPDX-License-Identifier: Apache-2.0
#include "dataplane/conntrack_socket.h"

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <linux/netlink.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace proxima::dataplane {
namespace {

sockaddr_nl netlink_address(std::uint32_t groups) {
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  address.nl_groups = groups;
  return address;
}

}  // namespace

Error conntrack_error(int number, std::string_view doing) {
  const bool denied = number == EPERM || number == EACCES;
  return Error{denied ? ErrorCode::Denied : ErrorCode::Retry,
               std::string(doing) + ": " + std::system_category().message(number)};
}

Result<ConntrackSocket> ConntrackSocket::open(std::uint32_t groups) {
  const int descriptor = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER);
  if (descriptor < 0) return conntrack_error(errno, "open a netlink socket");
  ConntrackSocket socket(descriptor);
  const sockaddr_nl address = netlink_address(groups);
  if (::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return conntrack_error(errno, "bind a netlink socket");
  }
  return socket;
}

ConntrackSocket::ConntrackSocket(ConntrackSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

ConntrackSocket::~ConntrackSocket() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status ConntrackSocket::send(std::string_view message) const {
  const sockaddr_nl kernel = netlink_address(0);
  const ssize_t sent = ::sendto(descriptor_, message.data(), message.size(), 0,
                                reinterpret_cast<const sockaddr*>(&kernel), sizeof kernel);
  if (sent < 0) return conntrack_error(errno, "send to the connection tracking");
  return Unit{};
}

Result<ConntrackSocket::Read> ConntrackSocket::read(std::span<char> buffer,
                                                    std::chrono::milliseconds patience) const {
  pollfd wait{.fd = descriptor_, .events = POLLIN, .revents = 0};
  int ready = -1;
  do {
    ready = ::poll(&wait, 1, static_cast<int>(patience.count()));
  } while (ready < 0 && errno == EINTR);
  if (ready < 0) return conntrack_error(errno, "wait for the connection tracking");
  if (ready == 0) return Read{};
  const ssize_t length = ::recv(descriptor_, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (length < 0 && errno == ENOBUFS) return Read{.outcome = Read::Outcome::Lost};
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) return Read{};
  if (length < 0) return conntrack_error(errno, "read from the connection tracking");
  return Read{.outcome = Read::Outcome::Data,
              .bytes = {buffer.data(), static_cast<std::size_t>(length)}};
}

}  // namespace proxima::dataplane
