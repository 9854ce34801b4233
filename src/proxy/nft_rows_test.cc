// SPDX-License-Identifier: Apache-2.0
// The packet rows through rendered rules: they must say what the routes say.
#include <gtest/gtest.h>

#include "support/nft_fate.h"
#include "support/packet_rows.h"
#include "support/packet_world.h"

namespace proxima::proxy {
namespace {

using dataplane::NftTable;
using kube::Protocol;
using test::PacketWorld;
using test::with_protocol;

constexpr std::uint16_t kPorts[] = {80, 8080, 30080, 81};
constexpr const char* kFroms[] = {"pod", "node", "loopback", "outside", "vip", "blocked", "L", "R"};
constexpr const char* kTos[] = {"node",   "node2", "loopback", "cluster",
                                "unused", "vip",   "external", "L"};

NftTable rendered(const RouteTable& routes) {
  NftRenderer renderer(routes.rules.family, {});
  renderer.start(routes, {});
  NftTable table(routes.rules.family);
  const Status loaded = test::load(renderer, table);
  EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : loaded.error().message);
  return table;
}

// Ports that are a service's and one that is not; of another protocol than the service's, one.
void expect_agreement(const PacketWorld& world, const std::vector<IpAddress>& local,
                      Protocol protocol, const std::string& what) {
  const RouteTable routes = world.table();
  const NftTable rules = rendered(routes);
  const auto expect = [&](const char* from, const char* to, Protocol of, std::uint16_t port) {
    const Packet packet{.source = world.address(from),
                        .destination = world.address(to),
                        .protocol = of,
                        .port = port};
    EXPECT_EQ(test::difference(rules, routes, local, packet), "")
        << what << ": " << from << " to " << to << ":" << port << "/" << kube::to_text(of);
  };
  for (const char* from : kFroms) {
    for (const char* to : kTos) {
      for (const std::uint16_t port : kPorts) expect(from, to, protocol, port);
      expect(from, to, protocol == Protocol::Tcp ? Protocol::Udp : Protocol::Tcp, 80);
    }
  }
}

void expect_matrix_agrees(const char* extra, void (*prepare)(PacketWorld&)) {
  for (const IpFamily family : test::kFamilies) {
    for (const auto& [protocol, suffix] : test::kProtocols) {
      for (const char* policies : {"", " eLocal", " iLocal", " iLocal eLocal"}) {
        PacketWorld world(family);
        prepare(world);
        world.add_service(with_protocol(test::kMatrixService, suffix) + policies + extra);
        world.add_slice(with_protocol(test::kMatrixSlice, suffix));
        expect_agreement(world, world.local_addresses(), protocol,
                         std::string(policies) + extra + suffix);
      }
    }
  }
}

TEST(NftRows, FollowTheFlowAndMasqueradeMatrix) {
  expect_matrix_agrees("", [](PacketWorld&) {});
}

TEST(NftRows, LosePodsWithoutADetector) {
  expect_matrix_agrees("", [](PacketWorld& world) { world.rules().detector.reset(); });
}

TEST(NftRows, MasqueradeAllWhenAsked) {
  expect_matrix_agrees("", [](PacketWorld& world) { world.rules().masquerade_all = true; });
}

TEST(NftRows, AnswerNodePortsOnlyWhereTheyAreAllowed) {
  expect_matrix_agrees("", [](PacketWorld& world) {
    world.rules().node_ports = {.restricted = true, .addresses = {world.address("node")}};
  });
}

TEST(NftRows, KeepStrangersFromTheBalancer) {
  expect_matrix_agrees(" range=$outsides range=$nodes", [](PacketWorld& world) {
    world.local_addresses().push_back(world.address("vip"));
  });
}

TEST(NftRows, SpreadClientsThatAreNewToAStickyService) {
  expect_matrix_agrees(" affinity=10800", [](PacketWorld&) {});
}

TEST(NftRows, RejectAndDropByTheEndpointsThereAre) {
  for (const IpFamily family : test::kFamilies) {
    for (const test::VerdictRow& row : test::kVerdictRows) {
      PacketWorld world(family);
      world.add_service(std::string(test::kMatrixService) + " " + row.policies);
      world.add_slice("ns/svc port=p:8080 " + std::string(row.endpoints));
      expect_agreement(world, world.local_addresses(), Protocol::Tcp, row.name);
    }
  }
}

TEST(NftRows, PreferAServiceAddressToANodePort) {
  for (const char* other : {"", "$R@there"}) {
    PacketWorld world(IpFamily::V4);
    world.add_service("ns/first NodePort ip=172.30.0.50 port=p:80>30080");
    world.add_slice("ns/first port=p:8080 " + std::string(other));
    world.add_service("ns/second ip=172.30.0.51 port=p:30080 external=$node");
    world.add_slice("ns/second port=p:8080 $L@here");
    expect_agreement(world, world.local_addresses(), Protocol::Tcp, other);
  }
}

TEST(NftRows, FollowWeights) {
  PacketWorld world(IpFamily::V4);
  world.add_service(std::string(test::kMatrixService) + " eLocal");
  world.add_slice(
      "ns/svc port=p:8080 $L@here%a $L2@there%a $R@there%b $R2@there%c "
      "annotation=proxima.io/zone-split:a=a:930,b:70;b=b:1000");
  expect_agreement(world, world.local_addresses(), Protocol::Tcp, "split");
}

TEST(NftRows, RecognisePodsByWhereTheyComeIn) {
  for (const auto by : {LocalDetector::By::Interface, LocalDetector::By::InterfacePrefix}) {
    for (const char* name : {"veth", "veth12", "", "a-name-that-is-too-long"}) {
      PacketWorld world(IpFamily::V6);
      world.rules().detector = LocalDetector{.by = by, .interface = name};
      world.add_service(test::kMatrixService);
      world.add_slice(test::kMatrixSlice);
      const RouteTable routes = world.table();
      const NftTable rules = rendered(routes);
      for (const char* interface : {"", "veth", "veth12", "eth0"}) {
        const Packet packet{.source = world.address("outside"),
                            .destination = world.address("cluster"),
                            .port = 80,
                            .input_interface = interface};
        EXPECT_EQ(test::difference(rules, routes, world.local_addresses(), packet), "")
            << name << " " << interface;
      }
    }
  }
}

}  // namespace
}  // namespace proxima::proxy
