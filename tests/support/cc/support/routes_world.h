// SPDX-License-Identifier: Apache-2.0
// A node with Services and slices that change at random, so that names, addresses and ports meet,
// and packets to all of them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/node_routes.h"
#include "proxy/packet_trace.h"
#include "support/route_world.h"

namespace proxima::test {

// Rules of IPv4 and of IPv6, with nothing special about them.
inline proxy::NodeRoutesOptions both_families() {
  proxy::RoutingRules v4, v6;
  v6.family = IpFamily::V6;
  return {.proxy_name = "", .rules = {v4, v6}};
}

// Random: std::uint64_t below(std::uint64_t bound), anything from 0 on.
template <class Random>
class RoutesWorld {
 public:
  RoutesWorld(Random random, IpFamily family)
      : random_(std::move(random)),
        family_(family),
        routes_(proxy::NodeRoutesOptions{.proxy_name = "", .rules = {rules()}}) {
    routes_.set_node({.name = Text("n1"), .zone = Text("a")});
  }

  // Some changes, and what they come to.
  proxy::RouteChanges step() {
    if (random_.below(8) == 0) routes_.set_rules(rules());
    for (std::uint64_t steps = random_.below(4); steps > 0; --steps) change_something();
    return routes_.update().at(0).changes;
  }
  const proxy::RouteTable& table() const { return *routes_.table(family_); }

  std::vector<IpAddress> local() const { return {at("node", 0), at("node", 1), loopback()}; }
  IpAddress at(std::string_view kind, std::uint64_t number) const {
    return *IpAddress::parse(text(kind, number));
  }

  std::vector<proxy::Packet> packets() const {
    static constexpr std::uint16_t kPorts[] = {80, 53, 30000, 30001, 81};
    std::vector<proxy::Packet> packets;
    const IpAddress sources[] = {at("pod", 0), at("pod", 77), at("node", 0), at("outside", 1),
                                 at("vip", 0)};
    const IpAddress destinations[] = {at("service", 0), at("service", 1), at("service", 9),
                                      at("vip", 0),     at("vip", 1),     at("node", 0),
                                      at("node", 1)};
    for (const IpAddress& source : sources) {
      for (const IpAddress& destination : destinations) {
        for (const std::uint16_t port : kPorts)
          packets.push_back({.source = source,
                             .destination = destination,
                             .protocol = port == 53 ? kube::Protocol::Udp : kube::Protocol::Tcp,
                             .port = port});
      }
    }
    return packets;
  }
  Random& random() { return random_; }

 private:
  IpAddress loopback() const {
    return *IpAddress::parse(family_ == IpFamily::V4 ? "127.0.0.1" : "::1");
  }
  std::string text(std::string_view kind, std::uint64_t number) const {
    static const std::map<std::string_view, std::pair<std::string, std::string>> kPrefixes = {
        {"service", {"10.96.0.", "fd00:96::"}},
        {"pod", {"10.1.0.", "fd00:1::"}},
        {"node", {"192.168.0.", "fd00:168::"}},
        {"vip", {"1.2.3.", "2001:db8:2::"}},
        {"outside", {"9.0.0.", "2001:db8:9::"}}};
    const auto& [v4, v6] = kPrefixes.at(kind);
    return (family_ == IpFamily::V4 ? v4 : v6) + std::to_string(number);
  }
  std::string any(std::string_view kind, std::uint64_t bound) {
    return text(kind, random_.below(bound));
  }
  bool one_in(std::uint64_t times) { return random_.below(times) == 0; }
  std::string range(const char* v4, const char* v6) const {
    return family_ == IpFamily::V4 ? v4 : v6;
  }

  proxy::RoutingRules rules() {
    proxy::RoutingRules rules;
    rules.family = family_;
    if (!one_in(4))
      rules.detector =
          proxy::LocalDetector{.range = *IpPrefix::parse(range("10.1.0.0/16", "fd00:1::/64"))};
    rules.masquerade_all = one_in(4);
    if (one_in(3)) rules.node_ports = {.restricted = true, .addresses = {at("node", 1)}};
    if (!one_in(3))
      rules.service_ranges = {*IpPrefix::parse(range("10.96.0.0/16", "fd00:96::/112"))};
    rules.node_address = at("node", 0);
    return rules;
  }

  std::string random_service(const std::string& name) {
    std::string words =
        name + " ip=" + any("service", 3) + " port=p:80>3000" + std::to_string(random_.below(2));
    if (one_in(2)) words += " port=q:53/UDP";
    if (one_in(3)) words += " external=" + any("vip", 2);
    if (one_in(3)) {
      words += " LoadBalancer vip=" + any("vip", 2);
      if (one_in(2)) words += " range=" + range("9.0.0.0/8", "2001:db8:9::/64");
      if (one_in(2)) words += " range=" + range("9.0.0.0/24", "2001:db8:9::/120");
      if (one_in(2)) words += " range=" + range("192.168.0.0/24", "fd00:168::/64");
    }
    if (one_in(3)) words += " eLocal";
    if (one_in(4)) words += " iLocal";
    if (one_in(3)) words += " affinity=" + std::string(one_in(2) ? "600" : "10800");
    if (one_in(6)) words += " keys=topology.kubernetes.io/zone";
    return words;
  }
  std::string random_slice(const std::string& name) {
    static constexpr const char* kStates[] = {"", "", "", "!", "~"};
    std::string words =
        name + " port=p:80 port=q:53/UDP version=" + std::to_string(random_.below(99));
    if (family_ == IpFamily::V6) words += " v6";
    if (one_in(3)) words += " annotation=proxima.io/zone-split:a=a:900,b:100";
    for (std::uint64_t left = random_.below(9); left > 0; --left) {
      // A Pod is on one node, whoever speaks of it.
      const std::uint64_t pod = random_.below(12);
      words += " " + text("pod", pod) + "@n" + std::to_string(pod % 3) + "%" +
               (one_in(2) ? "a" : "b") + kStates[random_.below(5)];
    }
    return words;
  }
  void change_something() {
    const std::string name = "s/w" + std::to_string(random_.below(4));
    if (one_in(2)) {
      std::string& words = services_[name];
      const ServiceRef before = words.empty() ? ServiceRef() : service(words);
      words = one_in(4) ? "" : random_service(name);
      routes_.change_service(before, words.empty() ? ServiceRef() : service(words));
    } else {
      std::string& words = slices_[name];
      const SliceRef before = words.empty() ? SliceRef() : slice(words);
      words = one_in(4) ? "" : random_slice(name);
      routes_.change_slice(before, words.empty() ? SliceRef() : slice(words));
    }
  }

  Random random_;
  IpFamily family_;
  proxy::NodeRoutes routes_;
  std::map<std::string, std::string> services_;
  std::map<std::string, std::string> slices_;
};

}  // namespace proxima::test
