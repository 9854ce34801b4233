// SPDX-License-Identifier: Apache-2.0
// The desired state of one node for one address family, as a value: where packets to every address
// of every service port go, from whom, masqueraded or not, and why. Complete: who writes it into
// a kernel makes no choice. Copies share what they have in common.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/persistent_map.h"
#include "base/ref.h"
#include "proxy/backend.h"
#include "proxy/choose_backends.h"
#include "proxy/routing_rules.h"
#include "proxy/service_port.h"

namespace proxima::proxy {

// A service port: what its Service says, and where its traffic goes.
struct PortRoutes : RefCounted {
  ServicePort port;
  Backends cluster;  // for traffic with policy Cluster
  Backends local;    // for traffic with policy Local
  bool has_any = false;
  bool has_internal = false;  // traffic to the cluster address has somewhere to go
  bool has_external = false;  // traffic to other addresses from outside has somewhere to go
  RouteReason why;
  std::optional<RouteReason> why_local;
  // Who may use the load balancer's addresses; empty: everyone.
  SharedList<IpPrefix> allowed_sources;
  // Of a UDP port: all that serve, whatever policies say. Flows to anything else are stale.
  std::vector<BackendAddress> serving;
  // Distinct addresses of ready endpoints on this node, of all ports of the Service.
  std::uint32_t local_ready = 0;

  friend bool operator==(const PortRoutes& a, const PortRoutes& b);
};

// What packets are addressed to.
struct Frontend {
  enum class Scope : std::uint8_t { Address, NodePort };
  Scope scope = Scope::Address;
  IpAddress address;  // for Address
  kube::Protocol protocol = kube::Protocol::Tcp;
  std::uint16_t port = 0;
  friend auto operator<=>(const Frontend&, const Frontend&) = default;
};
// "10.96.0.1:443/TCP", "[fd00::1]:443/TCP", "*:30080/TCP".
std::string to_text(const Frontend& frontend);

// Where several service ports claim a frontend, the kind that comes first here has it, and then the
// lesser name.
enum class FrontendKind : std::uint8_t { ClusterIp, LoadBalancer, ExternalIp, NodePort };

enum class Source : std::uint8_t { Pod, Node, Outside };
inline constexpr std::size_t kSources = 3;

enum class Action : std::uint8_t {
  Cluster,  // to one of the port's `cluster` backends
  Local,    // to one of its `local` backends
  Reject,   // with an ICMP error
  Drop,
};

struct Handling {
  Action action = Action::Reject;
  bool masquerade = false;
  friend bool operator==(const Handling&, const Handling&) = default;
};

struct FrontendRoute : RefCounted {
  Frontend at;
  FrontendKind kind = FrontendKind::ClusterIp;
  ServicePortKey port;
  std::array<Handling, kSources> by_source;  // indexed by Source
  // Packets from elsewhere than the port's allowed_sources are dropped, before anything else.
  bool filtered = false;

  const Handling& from(Source source) const { return by_source[static_cast<std::size_t>(source)]; }
  friend bool operator==(const FrontendRoute& a, const FrontendRoute& b) {
    return a.at == b.at && a.kind == b.kind && a.port == b.port && a.by_source == b.by_source &&
           a.filtered == b.filtered;
  }
};

struct ByPort {
  static bool less(const PortRoutes& a, const PortRoutes& b) { return a.port.key < b.port.key; }
  static bool less(const PortRoutes& a, const ServicePortKey& b) { return a.port.key < b; }
  static bool less(const ServicePortKey& a, const PortRoutes& b) { return a < b.port.key; }
};

// All claims of a frontend side by side, the one in force first.
struct FrontendClaim {
  const Frontend& at;
  FrontendKind kind;
  const ServicePortKey& port;
  friend bool operator<(const FrontendClaim& a, const FrontendClaim& b) {
    return std::tie(a.at, a.kind, a.port) < std::tie(b.at, b.kind, b.port);
  }
};
inline FrontendClaim claim_of(const FrontendRoute& route) {
  return {route.at, route.kind, route.port};
}
struct ByFrontend {
  static bool less(const FrontendRoute& a, const FrontendRoute& b) {
    return claim_of(a) < claim_of(b);
  }
  static bool less(const FrontendRoute& a, const FrontendClaim& b) { return claim_of(a) < b; }
  static bool less(const FrontendClaim& a, const FrontendRoute& b) { return a < claim_of(b); }
};

using PortRoutesRef = Ref<const PortRoutes>;
using FrontendRouteRef = Ref<const FrontendRoute>;

struct RouteTable {
  RoutingRules rules;
  PersistentMap<PortRoutes, ByPort> ports;
  PersistentMap<FrontendRoute, ByFrontend> frontends;  // all claims

  // Null when there is none.
  FrontendRouteRef in_force(const Frontend& at) const;
  // Whether the address is some Service's cluster address: its other ports then reject.
  bool is_cluster_ip(const IpAddress& address) const;
  // Of one Service, by name.
  std::vector<PortRoutesRef> ports_of(const Text& ns, const Text& service) const;

  friend bool operator==(const RouteTable& a, const RouteTable& b);
};

}  // namespace proxima::proxy
