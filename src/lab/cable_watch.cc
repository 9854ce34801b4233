// SPDX-License-Identifier: Apache-2.0
#include "lab/cable_watch.h"

#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string_view>

#include "lab/system_error.h"

namespace proxima::lab {
namespace {

using Clock = std::chrono::steady_clock;

struct Close {
  void operator()(mnl_socket* socket) const { mnl_socket_close(socket); }
};
using Socket = std::unique_ptr<mnl_socket, Close>;

// Hears of every change of a device or an IPv6 address from now on.
Result<Socket> open_watch(const NetworkNamespace& at) {
  Socket socket;
  PROXIMA_TRY([[maybe_unused]] const Unit opened, at.run([&]() -> Status {
    socket.reset(mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC));
    if (!socket) return system_error("open a netlink socket");
    return Unit{};
  }),
              "watch a cable");
  if (mnl_socket_bind(socket.get(), RTMGRP_LINK | RTMGRP_IPV6_IFADDR, MNL_SOCKET_AUTOPID) != 0)
    return system_error("bind a netlink socket");
  return socket;
}

// Asks for all links or all IPv6 addresses; the answers look as changes do.
template <class Extra>
Status ask(mnl_socket* socket, std::uint16_t type, std::uint8_t family) {
  alignas(nlmsghdr) std::array<char, 64> bytes{};
  nlmsghdr* header = mnl_nlmsg_put_header(bytes.data());
  header->nlmsg_type = type;
  header->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  *static_cast<std::uint8_t*>(mnl_nlmsg_put_extra_header(header, sizeof(Extra))) = family;
  if (mnl_socket_sendto(socket, header, header->nlmsg_len) < 0)
    return system_error("ask for devices");
  return Unit{};
}

// What is not yet as it should be.
struct Missing {
  const std::string& device;
  bool link = true;
  int index = 0;  // of the device, once it is known
  std::set<IpAddress> addresses;
};

struct SeenLink {
  std::string_view name;
  std::string_view qdisc;
};

int note_link(const nlattr* attribute, void* data) {
  auto& seen = *static_cast<SeenLink*>(data);
  if (mnl_attr_get_type(attribute) == IFLA_IFNAME) seen.name = mnl_attr_get_str(attribute);
  if (mnl_attr_get_type(attribute) == IFLA_QDISC) seen.qdisc = mnl_attr_get_str(attribute);
  return MNL_CB_OK;
}

// While the qdisc is "noop" everything that is sent is dropped.
void look_at_link(const nlmsghdr* header, Missing& missing) {
  SeenLink seen{.name = {}, .qdisc = "noop"};
  if (mnl_attr_parse(header, sizeof(ifinfomsg), note_link, &seen) < 0) return;
  if (seen.name != missing.device) return;
  missing.index = static_cast<const ifinfomsg*>(mnl_nlmsg_get_payload(header))->ifi_index;
  missing.link = seen.qdisc == "noop";
}

struct SeenAddress {
  std::array<std::uint8_t, 16> bytes{};
  std::uint32_t flags = 0;
};

int note_address(const nlattr* attribute, void* data) {
  auto& seen = *static_cast<SeenAddress*>(data);
  if (mnl_attr_get_type(attribute) == IFA_ADDRESS &&
      mnl_attr_get_payload_len(attribute) == seen.bytes.size())
    std::copy_n(static_cast<const std::uint8_t*>(mnl_attr_get_payload(attribute)),
                seen.bytes.size(), seen.bytes.begin());
  if (mnl_attr_get_type(attribute) == IFA_FLAGS) seen.flags = mnl_attr_get_u32(attribute);
  return MNL_CB_OK;
}

// An address is tentative until the kernel listens for those who ask for it.
void look_at_address(const nlmsghdr* header, Missing& missing) {
  const auto* address = static_cast<const ifaddrmsg*>(mnl_nlmsg_get_payload(header));
  if (static_cast<int>(address->ifa_index) != missing.index) return;
  SeenAddress seen;
  if (mnl_attr_parse(header, sizeof(ifaddrmsg), note_address, &seen) < 0) return;
  if ((seen.flags & IFA_F_TENTATIVE) == 0)
    missing.addresses.erase(IpAddress::from_bytes(IpFamily::V6, seen.bytes));
}

int look(const nlmsghdr* header, void* data) {
  auto& missing = *static_cast<Missing*>(data);
  if (header->nlmsg_type == RTM_NEWLINK) look_at_link(header, missing);
  if (header->nlmsg_type == RTM_NEWADDR) look_at_address(header, missing);
  return MNL_CB_OK;
}

// Everything that the socket has to say now or before the deadline. Retry: nothing came.
Status listen_once(mnl_socket* socket, Missing& missing, Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  pollfd waiting{.fd = mnl_socket_get_fd(socket), .events = POLLIN, .revents = 0};
  if (left.count() <= 0 || poll(&waiting, 1, static_cast<int>(left.count())) <= 0)
    return Error{ErrorCode::Retry, missing.device + " cannot be used yet"};
  std::array<char, 16384> answer{};
  const ssize_t size = mnl_socket_recvfrom(socket, answer.data(), answer.size());
  if (size < 0) return system_error("watch " + missing.device);
  const int looked =
      mnl_cb_run(answer.data(), static_cast<std::size_t>(size), 0, 0, look, &missing);
  if (looked < 0) return system_error("watch " + missing.device);
  return Unit{};
}

}  // namespace

Status wait_until_usable(const NetworkNamespace& at, const CableEnd& end,
                         std::chrono::milliseconds patience) {
  const Clock::time_point deadline = Clock::now() + patience;
  PROXIMA_TRY(const Socket socket, open_watch(at), end.device);
  Missing missing{.device = end.device};
  for (const DeviceAddress& address : end.addresses)
    if (address.address.family() == IpFamily::V6) missing.addresses.insert(address.address);
  if (Status asked = ask<ifinfomsg>(socket.get(), RTM_GETLINK, AF_UNSPEC); !asked) return asked;
  // The device first: addresses are told with its number. One list at a time is all that the kernel
  // gives a socket.
  while (missing.index == 0 || missing.link)
    if (Status heard = listen_once(socket.get(), missing, deadline); !heard) return heard;
  PROXIMA_TRY(const Socket addresses, open_watch(at), end.device);
  if (Status asked = ask<ifaddrmsg>(addresses.get(), RTM_GETADDR, AF_INET6); !asked) return asked;
  while (!missing.addresses.empty())
    if (Status heard = listen_once(addresses.get(), missing, deadline); !heard) return heard;
  return Unit{};
}

}  // namespace proxima::lab
