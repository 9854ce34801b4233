// SPDX-License-Identifier: Apache-2.0
#include "lab/route_socket.h"

#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <cstring>
#include <utility>

#include "lab/system_error.h"

namespace proxima::lab {
namespace {

// One request: a few small attributes.
class Message {
 public:
  Message(std::uint16_t type, std::uint16_t flags) : header_(mnl_nlmsg_put_header(bytes_.data())) {
    header_->nlmsg_type = type;
    header_->nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | NLM_F_ACK | flags);
  }
  template <class T>
  T* extra() {
    return static_cast<T*>(mnl_nlmsg_put_extra_header(header_, sizeof(T)));
  }
  nlmsghdr* header() { return header_; }
  void text(std::uint16_t type, const std::string& value) {
    mnl_attr_put_strz(header_, type, value.c_str());
  }
  void number(std::uint16_t type, std::uint32_t value) { mnl_attr_put_u32(header_, type, value); }
  void address(std::uint16_t type, const IpAddress& value) {
    mnl_attr_put(header_, type, value.family() == IpFamily::V4 ? 4 : 16, value.bytes().data());
  }
  nlattr* begin(std::uint16_t type) { return mnl_attr_nest_start(header_, type); }
  void end(nlattr* nest) { mnl_attr_nest_end(header_, nest); }

 private:
  alignas(nlmsghdr) std::array<char, 1024> bytes_{};
  nlmsghdr* header_;
};

std::uint8_t family_of(const IpAddress& address) {
  return address.family() == IpFamily::V4 ? AF_INET : AF_INET6;
}

constexpr std::uint16_t kNew = NLM_F_CREATE | NLM_F_EXCL;
constexpr std::uint16_t kNewOrTheSame = NLM_F_CREATE | NLM_F_REPLACE;

}  // namespace

void RouteSocket::Close::operator()(mnl_socket* socket) const { mnl_socket_close(socket); }

Result<RouteSocket> RouteSocket::open(const NetworkNamespace& at) {
  mnl_socket* socket = nullptr;
  // A socket stays in the namespace that it was made in.
  const Status opened = at.run([&]() -> Status {
    socket = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
    if (socket == nullptr) return system_error("open a netlink socket");
    return Unit{};
  });
  if (!opened) return opened.error();
  RouteSocket result(socket);
  if (mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) != 0)
    return system_error("bind a netlink socket");
  return result;
}

Status RouteSocket::talk(nlmsghdr* message, const std::string& what) {
  message->nlmsg_seq = ++sequence_;
  if (mnl_socket_sendto(socket_.get(), message, message->nlmsg_len) < 0) return system_error(what);
  std::array<char, 8192> answer{};
  const ssize_t size = mnl_socket_recvfrom(socket_.get(), answer.data(), answer.size());
  if (size < 0) return system_error(what);
  // An acknowledgement with an error is what mnl_cb_run reports in errno.
  if (mnl_cb_run(answer.data(), static_cast<std::size_t>(size), sequence_,
                 mnl_socket_get_portid(socket_.get()), nullptr, nullptr) < 0)
    return system_error(what);
  return Unit{};
}

Result<int> RouteSocket::index_of(const std::string& device) const {
  ifreq request{};
  device.copy(request.ifr_name, IFNAMSIZ - 1);
  if (ioctl(mnl_socket_get_fd(socket_.get()), SIOCGIFINDEX, &request) != 0)
    return system_error("device " + device);
  return request.ifr_ifindex;
}

Status RouteSocket::add_cable(const NewDevice& near, const NewDevice& far,
                              const NetworkNamespace& far_at) {
  Message message(RTM_NEWLINK, kNew);
  message.extra<ifinfomsg>()->ifi_index = near.index;
  message.text(IFLA_IFNAME, near.name);
  nlattr* info = message.begin(IFLA_LINKINFO);
  message.text(IFLA_INFO_KIND, "veth");
  nlattr* data = message.begin(IFLA_INFO_DATA);
  nlattr* other = message.begin(VETH_INFO_PEER);
  message.extra<ifinfomsg>()->ifi_index = far.index;
  message.text(IFLA_IFNAME, far.name);
  message.number(IFLA_NET_NS_FD, static_cast<std::uint32_t>(far_at.descriptor()));
  message.end(other);
  message.end(data);
  message.end(info);
  return talk(message.header(), "add cable " + near.name);
}

Status RouteSocket::set_power(const std::string& device, Power power) {
  Message message(RTM_NEWLINK, 0);
  auto* link = message.extra<ifinfomsg>();
  link->ifi_change = IFF_UP;
  link->ifi_flags = power == Power::On ? IFF_UP : 0;
  message.text(IFLA_IFNAME, device);
  return talk(message.header(), "power of " + device);
}

Status RouteSocket::remove_device(const std::string& device) {
  Message message(RTM_DELLINK, 0);
  message.extra<ifinfomsg>();
  message.text(IFLA_IFNAME, device);
  return talk(message.header(), "remove " + device);
}

Status RouteSocket::add_address(const std::string& device, const DeviceAddress& address) {
  PROXIMA_TRY(const int index, index_of(device), "add address");
  Message message(RTM_NEWADDR, kNewOrTheSame);
  auto* header = message.extra<ifaddrmsg>();
  header->ifa_family = family_of(address.address);
  header->ifa_prefixlen = address.prefix_length;
  header->ifa_scope =
      address.reach == DeviceAddress::Reach::Link ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE;
  header->ifa_index = static_cast<unsigned>(index);
  message.address(IFA_LOCAL, address.address);
  message.address(IFA_ADDRESS, address.address);
  return talk(message.header(), "add address " + address.address.text() + " to " + device);
}

Status RouteSocket::add_route(const Route& route) {
  PROXIMA_TRY(const int index, index_of(route.device), "add route");
  Message message(RTM_NEWROUTE, kNewOrTheSame);
  auto* header = message.extra<rtmsg>();
  header->rtm_family = family_of(route.to.first());
  header->rtm_dst_len = route.to.length();
  header->rtm_table = RT_TABLE_MAIN;
  header->rtm_protocol = RTPROT_STATIC;
  header->rtm_scope = route.via ? RT_SCOPE_UNIVERSE : RT_SCOPE_LINK;
  header->rtm_type = RTN_UNICAST;
  if (route.to.length() > 0) message.address(RTA_DST, route.to.first());
  if (route.via) message.address(RTA_GATEWAY, *route.via);
  message.number(RTA_OIF, static_cast<std::uint32_t>(index));
  return talk(message.header(), "add route to " + route.to.text());
}

}  // namespace proxima::lab
