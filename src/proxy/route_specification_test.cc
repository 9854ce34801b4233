// SPDX-License-Identifier: Apache-2.0
// All small worlds, held against the rules of kube-proxy as its documentation puts them: for one
// packet at a time, from raw endpoints, without lists, tables or shared steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>

#include "support/packet_world.h"

namespace proxima::proxy {
namespace {

enum class State { Ready, Draining, Dead };

struct SpecifiedWorld {
  struct One {
    const char* name;
    bool local;
    State state;
    char hint;  // a zone, '-' for none; this node is in "a"
  };
  std::vector<One> endpoints;
  bool internal_local;
  bool external_local;
  bool has_detector;
  bool masquerade_all;
};

struct Case {
  const char* from;
  const char* to;
};

bool any(const SpecifiedWorld& world,
         const std::function<bool(const SpecifiedWorld::One&)>& holds) {
  return std::any_of(world.endpoints.begin(), world.endpoints.end(), holds);
}

bool is_ready(const SpecifiedWorld::One& e) { return e.state == State::Ready; }
bool is_usable(const SpecifiedWorld::One& e) { return e.state != State::Dead; }

// May this endpoint get traffic that may go anywhere?
bool takes_cluster_traffic(const SpecifiedWorld& world, const SpecifiedWorld::One& e) {
  if (!any(world, is_ready)) return e.state == State::Draining;
  if (!is_ready(e)) return false;
  const bool all_hinted =
      !any(world, [](const SpecifiedWorld::One& o) { return is_ready(o) && o.hint == '-'; });
  const bool some_ours =
      any(world, [](const SpecifiedWorld::One& o) { return is_ready(o) && o.hint == 'a'; });
  return all_hinted && some_ours ? e.hint == 'a' : true;
}

// And traffic that must stay on the node?
bool takes_local_traffic(const SpecifiedWorld& world, const SpecifiedWorld::One& e) {
  if (!e.local) return false;
  const bool ready_here =
      any(world, [](const SpecifiedWorld::One& o) { return o.local && is_ready(o); });
  return ready_here ? is_ready(e) : e.state == State::Draining;
}

// What the documentation promises for the packet, as PacketWorld::outcome() words it.
std::string promised(const SpecifiedWorld& world, const Case& packet) {
  if (!any(world, is_usable)) return "reject";
  const bool to_cluster_ip = std::string_view(packet.to) == "cluster";
  const bool is_pod = std::string_view(packet.from) == "pod" && world.has_detector;
  const bool is_node = std::string_view(packet.from) == "node";
  const bool short_circuit = !to_cluster_ip && world.external_local && (is_pod || is_node);
  const bool local_only =
      to_cluster_ip ? world.internal_local : world.external_local && !short_circuit;
  bool masquerade = false;
  if (to_cluster_ip) {
    masquerade = world.masquerade_all || (world.has_detector && !is_pod);
  } else {
    masquerade = !world.external_local || is_node;
    if (world.external_local && is_pod) masquerade = false;
  }
  std::string text;
  for (const SpecifiedWorld::One& e : world.endpoints) {
    const bool takes = local_only ? takes_local_traffic(world, e) : takes_cluster_traffic(world, e);
    if (takes) text += (text.empty() ? "" : " ") + std::string(e.name);
  }
  if (text.empty()) return "drop";
  return text + (masquerade ? " snat" : "");
}

std::string observed(const test::PacketWorld& packets, const RouteTable& table,
                     const Case& packet) {
  const std::uint16_t port = std::string_view(packet.to) == "node" ? 30080 : 80;
  return packets.outcome(table, {.source = packets.address(packet.from),
                                 .destination = packets.address(packet.to),
                                 .port = port});
}

test::PacketWorld built(const SpecifiedWorld& world) {
  test::PacketWorld packets(IpFamily::V4);
  packets.rules().masquerade_all = world.masquerade_all;
  if (!world.has_detector) packets.rules().detector.reset();
  packets.add_service(std::string("ns/svc LoadBalancer ip=$cluster port=p:80>30080 vip=$vip") +
                      (world.internal_local ? " iLocal" : "") +
                      (world.external_local ? " eLocal" : ""));
  std::string slice = "ns/svc port=p:80";
  for (const SpecifiedWorld::One& e : world.endpoints) {
    slice += std::string(" $") + e.name + (e.local ? "@here" : "@there");
    if (e.state == State::Draining) slice += "~";
    if (e.state == State::Dead) slice += "!";
    if (e.hint != '-') slice += std::string("+") + e.hint;
  }
  packets.add_slice(slice);
  return packets;
}

void expect_promises_kept(const SpecifiedWorld& world) {
  constexpr std::array<Case, 9> kCases = {{{"pod", "cluster"},
                                           {"node", "cluster"},
                                           {"outside", "cluster"},
                                           {"pod", "node"},
                                           {"node", "node"},
                                           {"outside", "node"},
                                           {"pod", "vip"},
                                           {"node", "vip"},
                                           {"outside", "vip"}}};
  const test::PacketWorld packets = built(world);
  const RouteTable table = packets.table();
  for (const Case& packet : kCases) {
    std::string story;
    for (const SpecifiedWorld::One& e : world.endpoints)
      story += std::string(" ") + e.name + (e.local ? "@" : "") +
               std::to_string(static_cast<int>(e.state)) + e.hint;
    ASSERT_EQ(observed(packets, table, packet), promised(world, packet))
        << packet.from << " to " << packet.to << story << (world.internal_local ? " iLocal" : "")
        << (world.external_local ? " eLocal" : "") << (world.has_detector ? " detector" : "")
        << (world.masquerade_all ? " all" : "");
  }
}

// Every endpoint in every state, with every hint, here and elsewhere, or not there at all.
std::vector<std::vector<SpecifiedWorld::One>> all_endpoints() {
  std::vector<std::vector<SpecifiedWorld::One>> worlds = {{}};
  for (const char* name : {"L", "L2", "R"}) {
    std::vector<std::vector<SpecifiedWorld::One>> more = worlds;
    for (const auto& before : worlds) {
      for (const State state : {State::Ready, State::Draining, State::Dead}) {
        for (const char hint : {'-', 'a', 'b'}) {
          auto with = before;
          with.push_back({name, name[0] == 'L', state, hint});
          more.push_back(std::move(with));
        }
      }
    }
    worlds = std::move(more);
  }
  return worlds;
}

TEST(RouteSpecification, HoldsInAllSmallWorlds) {
  for (const auto& endpoints : all_endpoints()) {
    for (unsigned bits = 0; bits < 16; ++bits) {
      expect_promises_kept(
          {endpoints, (bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0, (bits & 8U) != 0});
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace proxima::proxy
