// SPDX-License-Identifier: Apache-2.0
#include "dataplane/conntrack_events.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <linux/filter.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_compat.h>
#include <linux/netfilter/nfnetlink_conntrack.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dataplane/conntrack_message.h"

namespace proxima::dataplane {
namespace {

// An event is some 300 bytes, one a datagram.
constexpr std::size_t kEventBytes = 2'048;
constexpr unsigned kEventsPerCall = 64;
constexpr std::size_t kCallsPerDrain = 128;

// The bytes are those of a message with one event; its status attribute decides.
Status keep_only_translated(int descriptor) {
  constexpr std::uint32_t kAttributes = NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(nfgenmsg));
  constexpr auto kFindAttribute = static_cast<std::uint32_t>(SKF_AD_OFF + SKF_AD_NLATTR);
  constexpr std::uint32_t kWhole = 0xffff'ffff;
  std::array<sock_filter, 9> program = {{
      BPF_STMT(BPF_LD | BPF_IMM, kAttributes),
      BPF_STMT(BPF_LDX | BPF_IMM, CTA_STATUS),
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, kFindAttribute),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 0),
      BPF_STMT(BPF_MISC | BPF_TAX, 0),
      BPF_STMT(BPF_LD | BPF_W | BPF_IND, sizeof(nlattr)),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kConntrackDestinationNat, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, 0),
      BPF_STMT(BPF_RET | BPF_K, kWhole),
  }};
  const sock_fprog filter{.len = program.size(), .filter = program.data()};
  if (::setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) != 0) {
    return conntrack_error(errno, "leave out other connections");
  }
  return Unit{};
}

// With the right to it beyond what other programs may have.
void enlarge_buffer(int descriptor, int bytes) {
  if (::setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) == 0) return;
  ::setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

}  // namespace

ConntrackEvents::ConntrackEvents(ConntrackSocket socket, int wake_descriptor)
    : socket_(std::move(socket)),
      wake_descriptor_(wake_descriptor),
      buffer_(kEventBytes * kEventsPerCall) {}

ConntrackEvents::ConntrackEvents(ConntrackEvents&& other) noexcept
    : socket_(std::move(other.socket_)),
      wake_descriptor_(std::exchange(other.wake_descriptor_, -1)),
      buffer_(std::move(other.buffer_)) {}

ConntrackEvents::~ConntrackEvents() {
  if (wake_descriptor_ >= 0) ::close(wake_descriptor_);
}

Result<ConntrackEvents> ConntrackEvents::open(const ConntrackEventsOptions& options) {
  PROXIMA_TRY(ConntrackSocket socket, ConntrackSocket::open(NF_NETLINK_CONNTRACK_DESTROY),
              "events of the connection tracking");
  enlarge_buffer(socket.descriptor(), options.buffer_bytes);
  PROXIMA_TRY(const Unit filtered, keep_only_translated(socket.descriptor()),
              "events of the connection tracking");
  static_cast<void>(filtered);
  const int wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) return conntrack_error(errno, "events of the connection tracking");
  return ConntrackEvents(std::move(socket), wake);
}

void ConntrackEvents::wake() const {
  const std::uint64_t one = 1;
  // It fails only when the counter is full, and then the thread is awake.
  [[maybe_unused]] const ssize_t written = ::write(wake_descriptor_, &one, sizeof one);
}

Result<ConntrackEvents::Wait> ConntrackEvents::wait(std::chrono::milliseconds patience) const {
  return wait_for(true, patience);
}

Result<ConntrackEvents::Wait> ConntrackEvents::pause(std::chrono::milliseconds patience) const {
  return wait_for(false, patience);
}

Result<ConntrackEvents::Wait> ConntrackEvents::wait_for(bool events,
                                                        std::chrono::milliseconds patience) const {
  std::array<pollfd, 2> waits = {{{.fd = wake_descriptor_, .events = POLLIN, .revents = 0},
                                  {.fd = socket_.descriptor(), .events = POLLIN, .revents = 0}}};
  const int ready = ::poll(waits.data(), events ? 2 : 1, static_cast<int>(patience.count()));
  if (ready < 0 && errno != EINTR) return conntrack_error(errno, "wait for connections to end");
  if (ready <= 0) return Wait::Nothing;
  return waits[0].revents != 0 ? Wait::Woken : Wait::Events;
}

Result<ConntrackEvents::Drained> ConntrackEvents::drain(const Visitor& visitor) {
  std::array<mmsghdr, kEventsPerCall> messages{};
  std::array<iovec, kEventsPerCall> parts{};
  for (std::size_t at = 0; at < kEventsPerCall; ++at) {
    parts[at] = {.iov_base = buffer_.data() + at * kEventBytes, .iov_len = kEventBytes};
    messages[at].msg_hdr.msg_iov = &parts[at];
    messages[at].msg_hdr.msg_iovlen = 1;
  }
  Drained drained;
  for (std::size_t call = 0; call < kCallsPerDrain; ++call) {
    const int count =
        ::recvmmsg(socket_.descriptor(), messages.data(), kEventsPerCall, MSG_DONTWAIT, nullptr);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return drained;
    if (count < 0 && errno != ENOBUFS)
      return conntrack_error(errno, "read which connections ended");
    if (count < 0) {
      drained.lost = true;
      continue;
    }
    for (std::size_t at = 0; at < static_cast<std::size_t>(count); ++at) {
      std::string_view bytes(buffer_.data() + at * kEventBytes, messages[at].msg_len);
      const std::optional<NetlinkMessage> message = next_message(bytes);
      const auto entry = message ? decode_conntrack(*message) : std::nullopt;
      if (entry) visitor(*entry);
    }
    drained.events += static_cast<std::size_t>(count);
  }
  drained.more = true;
  return drained;
}

}  // namespace proxima::dataplane
