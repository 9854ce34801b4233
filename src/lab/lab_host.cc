// SPDX-License-Identifier: Apache-2.0
#include "lab/lab_host.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <span>

#include "lab/cable_watch.h"
#include "lab/system_error.h"

namespace proxima::lab {
namespace {

struct Setting {
  const char* file;  // below /proc/sys/net
  const char* value;
  // Some settings belong to the machine in older kernels, and are not there in a namespace.
  enum class Presence { Always, Maybe } presence = Presence::Always;
};

constexpr Setting kOfEveryHost[] = {
    // Addresses are usable at once.
    {"ipv6/conf/all/accept_dad", "0"},
    {"ipv6/conf/default/accept_dad", "0"},
    // A host that comes back tells its neighbours, who need not ask a second time.
    {"ipv4/conf/all/arp_notify", "1"},
    {"ipv6/conf/all/ndisc_notify", "1"},
    // Service addresses come in where no route to the sender leads out.
    {"ipv4/conf/all/rp_filter", "0"},
    {"ipv4/conf/default/rp_filter", "0"},
    // A host of the lab stands for many clients: limits made for one would look like lost packets.
    {"ipv4/icmp_ratelimit", "0"},
    {"ipv6/icmp/ratelimit", "0"},
    {"ipv4/icmp_msgs_burst", "100000", Setting::Presence::Maybe},
    {"ipv4/icmp_msgs_per_sec", "1000000", Setting::Presence::Maybe},
};
constexpr Setting kOfThoseThatForward[] = {
    {"ipv4/ip_forward", "1"},
    {"ipv6/conf/all/forwarding", "1"},
};
constexpr Setting kOfClients[] = {
    {"ipv4/ip_local_port_range", "1024 65535"},
};

Status write_setting(const Setting& setting) {
  const std::string file = std::string("/proc/sys/net/") + setting.file;
  const std::string_view value = setting.value;
  const int descriptor = open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT && setting.presence == Setting::Presence::Maybe)
    return Unit{};
  if (descriptor < 0) return system_error("open " + file);
  const ssize_t written = write(descriptor, value.data(), value.size());
  close(descriptor);
  if (written != static_cast<ssize_t>(value.size())) return system_error("write " + file);
  return Unit{};
}

// Of the namespace of the calling thread.
Status write_settings(std::span<const Setting> settings) {
  for (const Setting& setting : settings)
    if (Status written = write_setting(setting); !written) return written;
  return Unit{};
}

// The kernel needs a few milliseconds; on a busy machine more.
constexpr std::chrono::seconds kCablePatience{10};

bool forwards(HostKind kind) { return kind == HostKind::Router || kind == HostKind::Node; }

}  // namespace

Status prepare_host(const NetworkNamespace& host, HostKind kind) {
  PROXIMA_TRY([[maybe_unused]] const Unit written, host.run([&]() -> Status {
    if (Status common = write_settings(kOfEveryHost); !common) return common;
    return forwards(kind) ? write_settings(kOfThoseThatForward) : write_settings(kOfClients);
  }),
              host.file());
  PROXIMA_TRY(RouteSocket socket, RouteSocket::open(host), host.file());
  return socket.set_power("lo", RouteSocket::Power::On);
}

Status lay_cable(const NetworkNamespace& near, const NetworkNamespace& far, const Cable& cable) {
  PROXIMA_TRY(RouteSocket near_socket, RouteSocket::open(near), near.file());
  PROXIMA_TRY(RouteSocket far_socket, RouteSocket::open(far), far.file());
  PROXIMA_TRY([[maybe_unused]] const Unit added,
              near_socket.add_cable({cable.near.device, cable.near.index},
                                    {cable.far.device, cable.far.index}, far),
              near.file());
  PROXIMA_TRY([[maybe_unused]] const Unit near_up, set_up_end(near_socket, cable.near),
              near.file());
  PROXIMA_TRY([[maybe_unused]] const Unit far_up, set_up_end(far_socket, cable.far), far.file());
  // After both ends are up: a route's gateway must be there.
  PROXIMA_TRY([[maybe_unused]] const Unit near_routed, route_end(near_socket, cable.near),
              near.file());
  PROXIMA_TRY([[maybe_unused]] const Unit far_routed, route_end(far_socket, cable.far), far.file());
  return wait_for_cable(near, far, cable);
}

Status set_up_end(RouteSocket& socket, const CableEnd& end) {
  for (const DeviceAddress& address : end.addresses)
    if (Status added = socket.add_address(end.device, address); !added) return added;
  return socket.set_power(end.device, RouteSocket::Power::On);
}

Status wait_for_cable(const NetworkNamespace& near, const NetworkNamespace& far,
                      const Cable& cable) {
  PROXIMA_TRY([[maybe_unused]] const Unit near_usable,
              wait_until_usable(near, cable.near, kCablePatience), near.file());
  return wait_until_usable(far, cable.far, kCablePatience);
}

Status route_end(RouteSocket& socket, const CableEnd& end) {
  for (const Route& route : end.routes)
    if (Status added = socket.add_route(route); !added) return added;
  return Unit{};
}

}  // namespace proxima::lab
