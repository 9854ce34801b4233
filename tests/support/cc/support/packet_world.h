// SPDX-License-Identifier: Apache-2.0
// A node, Pods, an outside host and services on it, with names for their addresses in both
// families, so that one table of packet rows serves IPv4 and IPv6, a model and a kernel.
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

// Names that packet rows use. L is an endpoint on the node "here", R one elsewhere.
inline const std::map<std::string_view, std::pair<const char*, const char*>>& packet_addresses() {
  static const std::map<std::string_view, std::pair<const char*, const char*>> kAddresses = {
      {"L", {"10.180.0.1", "fd00:10:180::1"}},
      {"L2", {"10.180.0.9", "fd00:10:180::9"}},
      {"R", {"10.180.1.1", "fd00:10:180:1::1"}},
      {"R2", {"10.180.1.9", "fd00:10:180:1::9"}},
      {"pod", {"10.180.0.77", "fd00:10:180::77"}},
      {"node", {"192.168.0.2", "fd00:192:168::2"}},
      {"node2", {"192.168.1.2", "fd00:192:168:1::2"}},
      {"loopback", {"127.0.0.1", "::1"}},
      {"outside", {"203.0.113.9", "2001:db8::9"}},
      {"blocked", {"198.51.100.9", "2001:db8:1::9"}},
      {"cluster", {"172.30.0.41", "fd00:172:30::41"}},
      {"unused", {"172.30.99.99", "fd00:172:30::9999"}},
      {"vip", {"1.2.3.4", "2001:db8:2::4"}},
      {"external", {"5.6.7.8", "2001:db8:2::8"}},
      {"pods", {"10.180.0.0/16", "fd00:10:180::/48"}},
      {"services", {"172.30.0.0/16", "fd00:172:30::/112"}},
      {"outsides", {"203.0.113.0/24", "2001:db8::/64"}},
      {"nodes", {"192.168.0.0/24", "fd00:192:168::/64"}},
  };
  return kAddresses;
}

inline constexpr IpFamily kFamilies[] = {IpFamily::V4, IpFamily::V6};
inline constexpr std::pair<kube::Protocol, const char*> kProtocols[] = {
    {kube::Protocol::Tcp, "/TCP"}, {kube::Protocol::Udp, "/UDP"}, {kube::Protocol::Sctp, "/SCTP"}};

// The Service or slice of `words` with its port p, 80 or 8080, of `protocol`: "/UDP".
inline std::string with_protocol(std::string_view words, const char* protocol) {
  std::string out(words);
  for (const std::string_view port : {"port=p:8080", "port=p:80"}) {
    const auto at = out.find(port);
    if (at == std::string::npos) continue;
    return out.insert(at + port.size(), protocol);
  }
  return out;
}

class PacketWorld {
 public:
  explicit PacketWorld(IpFamily family) : family_(family) {
    rules_.family = family;
    rules_.detector = proxy::LocalDetector{.range = *IpPrefix::parse(text("pods"))};
    rules_.service_ranges = {*IpPrefix::parse(text("services"))};
    rules_.node_address = address("node");
    local_ = {address("node"), address("node2"), address("loopback")};
  }

  proxy::RoutingRules& rules() { return rules_; }
  // As the node has them; `vip` is one where a load balancer's address is put on every node.
  std::vector<IpAddress>& local_addresses() { return local_; }

  std::string text(std::string_view name) const {
    const auto& both = packet_addresses().at(name);
    return family_ == IpFamily::V4 ? both.first : both.second;
  }
  IpAddress address(std::string_view name) const { return *IpAddress::parse(text(name)); }

  // As service() and slice() read them, with "$NAME" for an address.
  void add_service(std::string_view words) { services_.push_back(service(filled_in(words))); }
  void add_slice(std::string_view words) {
    const char* family = family_ == IpFamily::V4 ? "" : " v6";
    slices_.push_back(slice(filled_in(words) + family));
  }

  proxy::RouteTable table() const {
    proxy::NodeRoutes routes({.proxy_name = "", .rules = {rules_}});
    routes.set_node({.name = Text("here"), .zone = Text("a")});
    for (const ServiceRef& service : services_) routes.change_service({}, service);
    for (const SliceRef& slice : slices_) routes.change_slice({}, slice);
    routes.update();
    return *routes.table(family_);
  }

  proxy::PacketFate fate(std::string_view from, std::string_view to, kube::Protocol protocol,
                         std::uint16_t port) const {
    return proxy::trace(
        table(), local_,
        {.source = address(from), .destination = address(to), .protocol = protocol, .port = port});
  }
  // "L R", "L R snat", "reject", …: targets by name; "snat" when all are masqueraded, and behind
  // its own name when only that one is.
  std::string outcome(std::string_view from, std::string_view to, kube::Protocol protocol,
                      std::uint16_t port) const {
    return named(fate(from, to, protocol, port));
  }
  // The same for a table that is there already.
  std::string outcome(const proxy::RouteTable& table, const proxy::Packet& packet) const {
    return named(proxy::trace(table, local_, packet));
  }

 private:
  std::string filled_in(std::string_view words) const {
    std::string out;
    while (!words.empty()) {
      const auto dollar = words.find('$');
      out += words.substr(0, dollar);
      if (dollar == std::string_view::npos) break;
      words.remove_prefix(dollar + 1);
      std::size_t size = 0;
      while (size < words.size() && (std::isalnum(static_cast<unsigned char>(words[size])) != 0))
        ++size;
      out += text(words.substr(0, size));
      words.remove_prefix(size);
    }
    return out;
  }

  std::string name_of(const IpAddress& wanted) const {
    for (const auto& [name, both] : packet_addresses()) {
      const auto parsed = IpAddress::parse(family_ == IpFamily::V4 ? both.first : both.second);
      if (parsed && *parsed == wanted) return std::string(name);
    }
    return wanted.text();
  }

  std::string named(const proxy::PacketFate& fate) const {
    if (fate.kind != proxy::PacketFate::Kind::Deliver) return proxy::to_text(fate);
    std::size_t masqueraded = 0;
    for (const auto& target : fate.targets) masqueraded += target.masquerade ? 1 : 0;
    const bool all = masqueraded == fate.targets.size();
    std::string text;
    for (const auto& target : fate.targets) {
      text += (text.empty() ? "" : " ") + name_of(target.at.address);
      if (target.masquerade && !all) text += "(snat)";
    }
    return text + (all ? " snat" : "");
  }

  IpFamily family_;
  proxy::RoutingRules rules_;
  std::vector<IpAddress> local_;
  std::vector<ServiceRef> services_;
  std::vector<SliceRef> slices_;
};

}  // namespace proxima::test
