// SPDX-License-Identifier: Apache-2.0
#include "dataplane/netlink_socket.h"

#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>

#include "dataplane/nft_error.h"

namespace proxima::dataplane {
namespace {

// Kernels fill at most 32 KiB with a piece of a dump; a single message may be longer.
constexpr std::size_t kReceiveBuffer = std::size_t{256} << 10;
constexpr int kReceiveRoom = 8 << 20;  // for thousands of refusals at once
// A kernel counts its own bookkeeping as well.
constexpr std::size_t kSendOverhead = 4096;

void set_option(int descriptor, int level, int option, int value) {
  // Each of them only makes something better; what fails without it says so itself.
  static_cast<void>(setsockopt(descriptor, level, option, &value, sizeof(value)));
}

// The root of a user namespace may not go beyond what the machine allows everybody; that is much
// more than what a socket has in the beginning.
void enlarge_buffer(int descriptor, int forced, int allowed, int bytes) {
  if (setsockopt(descriptor, SOL_SOCKET, forced, &bytes, sizeof(bytes)) != 0)
    set_option(descriptor, SOL_SOCKET, allowed, bytes);
}

}  // namespace

Result<NetlinkSocket> NetlinkSocket::open() {
  const int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER);
  if (descriptor < 0) return kernel_error(errno).in("open a netlink socket");
  NetlinkSocket opened(descriptor);
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  // NOLINTNEXTLINE: this is how a sockaddr is passed
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    return kernel_error(errno).in("bind a netlink socket");
  }
  return opened;
}

NetlinkSocket::NetlinkSocket(int descriptor) : descriptor_(descriptor), buffer_(kReceiveBuffer) {
  // Without the first, a refusal repeats the whole message; the second adds words and a place.
  set_option(descriptor_, SOL_NETLINK, NETLINK_CAP_ACK, 1);
  set_option(descriptor_, SOL_NETLINK, NETLINK_EXT_ACK, 1);
  enlarge_buffer(descriptor_, SO_RCVBUFFORCE, SO_RCVBUF, kReceiveRoom);
}

NetlinkSocket::NetlinkSocket(NetlinkSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      send_room_(other.send_room_),
      buffer_(std::move(other.buffer_)) {}

NetlinkSocket& NetlinkSocket::operator=(NetlinkSocket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(send_room_, other.send_room_);
  std::swap(buffer_, other.buffer_);
  return *this;
}

NetlinkSocket::~NetlinkSocket() {
  if (descriptor_ >= 0) close(descriptor_);
}

Status NetlinkSocket::join(int group) {
  const int joined =
      setsockopt(descriptor_, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group));
  if (joined != 0) return kernel_error(errno).in("join a netlink group");
  return Unit{};
}

void NetlinkSocket::leave(int group) {
  set_option(descriptor_, SOL_NETLINK, NETLINK_DROP_MEMBERSHIP, group);
}

Status NetlinkSocket::send(std::string_view bytes) {
  const std::size_t room = bytes.size() + kSendOverhead;
  if (room > static_cast<std::size_t>(std::numeric_limits<int>::max() / 2)) {
    return Error{ErrorCode::InvalidInput, "a batch of more than 1 GiB"};
  }
  if (room > send_room_) {
    // Not more than once a size: the room stays.
    send_room_ = std::max(room, std::size_t{1} << 20);
    enlarge_buffer(descriptor_, SO_SNDBUFFORCE, SO_SNDBUF, static_cast<int>(send_room_));
  }
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  // NOLINTNEXTLINE: this is how a sockaddr is passed
  const auto* address = reinterpret_cast<const sockaddr*>(&kernel);
  ssize_t sent = -1;
  do {
    sent = sendto(descriptor_, bytes.data(), bytes.size(), 0, address, sizeof(kernel));
  } while (sent < 0 && errno == EINTR);
  // Only who may not enlarge the buffer meets this.
  if (sent < 0 && errno == EMSGSIZE) return kernel_error(EPERM).in("enlarge the send buffer");
  if (sent < 0) return kernel_error(errno).in("send to the kernel");
  return Unit{};
}

Result<std::string_view> NetlinkSocket::receive() {
  ssize_t length = -1;
  do {
    length = recv(descriptor_, buffer_.data(), buffer_.size(), MSG_DONTWAIT | MSG_TRUNC);
  } while (length < 0 && errno == EINTR);
  if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return std::string_view();
  if (length < 0) return kernel_error(errno).in("receive from the kernel");
  if (static_cast<std::size_t>(length) > buffer_.size()) {
    return Error{ErrorCode::Unsupported, "receive from the kernel: a message that is too long"};
  }
  return std::string_view(buffer_.data(), static_cast<std::size_t>(length));
}

void NetlinkSocket::drain() {
  // Every error of a socket is told once; a bound all the same.
  for (int i = 0; i < 1 << 16; ++i) {
    const Result<std::string_view> piece = receive();
    if (piece && piece->empty()) return;
  }
}

}  // namespace proxima::dataplane
