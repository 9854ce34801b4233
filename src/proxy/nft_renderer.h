// SPDX-License-Identifier: Apache-2.0
// Turns routes of one family into what an nftables table holds, and changes of routes into
// transactions as small as they can be. Keeps what it has written: numbers of ports, who has which
// slot, how often an element is needed. No I/O, for one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "dataplane/nft_model.h"
#include "proxy/nft_changes.h"
#include "proxy/nft_frontend.h"
#include "proxy/nft_layout.h"
#include "proxy/nft_port.h"
#include "proxy/nft_port_ids.h"
#include "proxy/route_changes.h"

namespace proxima::proxy {

// Numbers of slots for which there are chains. They stay: there are few.
struct NftChainNumbers {
  std::set<std::uint32_t> sizes;
  std::set<std::uint32_t> sticky_sizes;
};

// What is known of an earlier process.
struct NftMemory {
  std::map<ServicePortKey, NftPort> ports;  // each with a number of its own
  NftChainNumbers numbers;
  // Of ports that have a map of clients; these may be of Services that are gone.
  std::uint32_t highest_client_map = 0;
  // Of `ports`, those that stay as they are until their routes change.
  std::set<ServicePortKey> kept;
};

using PlanNftPort = std::function<NftPort(const NftPortInput&)>;

class NftRenderer {
 public:
  NftRenderer(IpFamily family, NftOptions options, PlanNftPort plan = plan_nft_port);

  // Forgets what it knows and begins with `table`, as near to `memory` as it can.
  void start(const RouteTable& table, NftMemory memory);
  // From the table of the call before to `table`.
  dataplane::NftTransaction change(const RouteTable& table, const RouteChanges& changes);

  // Renders a port of `table` and keeps nothing of it: under run_guarded(), this tells whether
  // start() or change() would break an invariant for it. Null `previous`: a new port.
  void rehearse(const PortRoutes& routes, const RouteTable& table, const NftPort* previous) const;
  // The same for a port that is kept as it is.
  void rehearse_kept(const PortRoutes& routes, const RouteTable& table, const NftPort& kept) const;
  // Of the last start() or change().
  const RouteTable& table() const { return table_; }

  // All that the table now holds but what it learns itself.
  std::vector<dataplane::NftChain> chains() const;  // by name
  std::vector<dataplane::NftSet> sets() const;      // by name
  template <class Sink>
  void each_element(Sink sink) const;  // sink(std::string_view set, dataplane::NftElement)

  const NftOptions& options() const { return options_; }
  IpFamily family() const { return family_; }
  // Ports that have no number because there are no more; they reject.
  const std::set<ServicePortKey>& unwritten() const { return unwritten_; }
  // Null when it needs none: nothing is sent to its backends.
  const NftPort* port(const ServicePortKey& key) const;

 private:
  struct Step;

  void change_ports(const RouteTable& table, const RouteChanges& changes, Step& step);
  void change_port(const PortChange& change, const RouteTable& table, Step& step);
  void change_pool(const NftPort* before, const NftPort* after, bool of_local, Step& step);
  // None when the list remembers nobody.
  std::optional<NftAffinity> affinity_of(const NftPort* port, bool of_local) const;
  void change_affinity(const NftPort* before, const NftPort* after, bool of_local, Step& step);
  void change_rules(const RoutingRules& rules, Step& step);
  void change_frontend(const Frontend& at, const RouteTable& table, Step& step);
  void change_cluster_ips(const RouteChanges& changes, Step& step);
  void count_hairpins(const PortRoutes* before, const PortRoutes* after, Step& step);
  void need_chains(const NftPort& port, NftChanges* changes);
  void need(std::set<std::uint32_t>& known, std::uint32_t number, std::string_view set,
            NftChanges* changes);
  std::optional<NftPort> plan(const PortRoutes& routes, const RouteTable& table,
                              const NftPort* previous);
  std::vector<NftSetElement> elements_of(const FrontendRoute& route, const RouteTable& table,
                                         const NftPort* port) const;
  dataplane::NftChain numbered_chain(std::string_view set, std::uint32_t number) const;
  dataplane::NftElement size_element(std::string_view set, std::uint32_t slots) const;

  IpFamily family_;
  NftOptions options_;
  PlanNftPort plan_port_;
  RouteTable table_;
  NftPortIds ids_;
  std::map<ServicePortKey, NftPort> ports_;
  std::set<ServicePortKey> unwritten_;
  std::set<ServicePortKey> kept_;                          // are not planned
  std::map<dataplane::NftBytes, std::uint32_t> hairpins_;  // how many ports need each
  NftChainNumbers numbers_;
};

inline dataplane::NftElement nft_key_element(dataplane::NftBytes key) {
  return {.key = std::move(key), .key_end = {}, .value = {}};
}

template <class Sink>
void NftRenderer::each_element(Sink sink) const {
  for (const std::uint32_t slots : numbers_.sizes)
    sink(nft_set::kSizes, size_element(nft_set::kSizes, slots));
  for (const std::uint32_t slots : numbers_.sticky_sizes)
    sink(nft_set::kStickySizes, size_element(nft_set::kStickySizes, slots));
  for (const auto& [key, port] : ports_) nft_port_elements(port, sink);
  for (const auto& [key, count] : hairpins_) sink(nft_set::kHairpin, nft_key_element(key));
  for (const IpAddress& address : table_.rules.node_ports.addresses)
    sink(nft_set::kNodePortIps, nft_key_element(nft_bytes(address)));
  const FrontendRoute* last = nullptr;
  const IpAddress* last_cluster_ip = nullptr;
  table_.frontends.each([&](const FrontendRouteRef& route) {
    // The first claim is in force.
    const bool in_force = last == nullptr || !(last->at == route->at);
    last = route.get();
    if (route->kind == FrontendKind::ClusterIp && route->at.address.family() == family_ &&
        (last_cluster_ip == nullptr || *last_cluster_ip != route->at.address)) {
      last_cluster_ip = &route->at.address;
      sink(nft_set::kClusterIps, nft_key_element(nft_bytes(route->at.address)));
    }
    if (!in_force) return true;
    for (NftSetElement& one : elements_of(*route, table_, port(route->port)))
      sink(one.set, std::move(one.element));
    return true;
  });
}

}  // namespace proxima::proxy
