// SPDX-License-Identifier: Apache-2.0
#include "lab/cluster_bed.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <utility>

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

Status write_settings(const NetworkNamespace& at, std::span<const Setting> settings) {
  return at.run([&]() -> Status {
    for (const Setting& setting : settings)
      if (Status written = write_setting(setting); !written) return written;
    return Unit{};
  });
}

bool forwards(HostKind kind) { return kind == HostKind::Router || kind == HostKind::Node; }

Result<NetworkNamespace> make_host(const std::string& file, HostKind kind) {
  PROXIMA_TRY(NetworkNamespace made, NetworkNamespace::create(file), "host");
  PROXIMA_TRY([[maybe_unused]] const Unit common, write_settings(made, kOfEveryHost), file);
  PROXIMA_TRY(
      [[maybe_unused]] const Unit special,
      forwards(kind) ? write_settings(made, kOfThoseThatForward) : write_settings(made, kOfClients),
      file);
  PROXIMA_TRY(RouteSocket socket, RouteSocket::open(made), file);
  PROXIMA_TRY([[maybe_unused]] const Unit up, socket.set_up("lo"), file);
  return made;
}

Status set_up_end(const NetworkNamespace& at, const CableEnd& end) {
  PROXIMA_TRY(RouteSocket socket, RouteSocket::open(at), at.file());
  for (const DeviceAddress& address : end.addresses)
    if (Status added = socket.add_address(end.device, address); !added) return added;
  return socket.set_up(end.device);
}

// After both ends are up: a route's gateway must be there.
Status route_end(const NetworkNamespace& at, const CableEnd& end) {
  PROXIMA_TRY(RouteSocket socket, RouteSocket::open(at), at.file());
  for (const Route& route : end.routes)
    if (Status added = socket.add_route(route); !added) return added;
  return Unit{};
}

}  // namespace

Result<ClusterBed> ClusterBed::build(const ClusterPlan& plan, RunClaim claim) {
  ClusterBed bed(std::move(claim));
  PROXIMA_TRY([[maybe_unused]] const Unit hosts, bed.add_hosts(plan), "build the lab");
  PROXIMA_TRY([[maybe_unused]] const Unit cables, bed.add_cables(plan), "build the lab");
  return bed;
}

Status ClusterBed::add_hosts(const ClusterPlan& plan) {
  for (const PlannedHost& host : plan.hosts) {
    PROXIMA_TRY(NetworkNamespace made, make_host(claim_.file_of(host.name), host.kind), host.name);
    namespaces_.push_back(std::move(made));
  }
  return Unit{};
}

Status ClusterBed::add_cables(const ClusterPlan& plan) {
  for (const Cable& cable : plan.cables) {
    const NetworkNamespace& near = namespaces_[cable.near.host];
    const NetworkNamespace& far = namespaces_[cable.far.host];
    PROXIMA_TRY(RouteSocket socket, RouteSocket::open(near), near.file());
    PROXIMA_TRY([[maybe_unused]] const Unit added,
                socket.add_cable(cable.near.device, cable.far.device, far), near.file());
    for (const auto& [at, end] : {std::pair(&near, &cable.near), std::pair(&far, &cable.far)})
      if (Status up = set_up_end(*at, *end); !up) return up;
    for (const auto& [at, end] : {std::pair(&near, &cable.near), std::pair(&far, &cable.far)})
      if (Status routed = route_end(*at, *end); !routed) return routed;
  }
  return Unit{};
}

}  // namespace proxima::lab
