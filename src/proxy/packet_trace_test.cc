// SPDX-License-Identifier: Apache-2.0
#include "proxy/packet_trace.h"

#include <gtest/gtest.h>

#include "support/packet_rows.h"
#include "support/packet_world.h"

namespace proxima::proxy {
namespace {

using kube::Protocol;
using test::PacketRow;
using test::PacketWorld;
using test::with_protocol;

std::uint16_t port_at(std::string_view to) { return to.starts_with("node") ? 30080 : 80; }

struct Policies {
  const char* words;
  const char* PacketRow::*expected;
};
constexpr Policies kPolicies[] = {{"", &PacketRow::cluster},
                                  {" eLocal", &PacketRow::external_local},
                                  {" iLocal", &PacketRow::internal_local}};

template <class Prepare>
void expect_rows(std::span<const PacketRow> rows, Prepare prepare) {
  for (const IpFamily family : test::kFamilies) {
    for (const auto& [protocol, suffix] : test::kProtocols) {
      for (const Policies& policies : kPolicies) {
        PacketWorld world(family);
        prepare(world.rules());
        world.add_service(with_protocol(test::kMatrixService, suffix) + policies.words);
        world.add_slice(with_protocol(test::kMatrixSlice, suffix));
        for (const PacketRow& row : rows)
          EXPECT_EQ(world.outcome(row.from, row.to, protocol, port_at(row.to)),
                    row.*policies.expected)
              << row.name << policies.words << " " << to_text(family) << suffix;
      }
    }
  }
}

TEST(PacketTrace, FollowsTheFlowAndMasqueradeMatrix) {
  expect_rows(test::kFlowRows, [](RoutingRules&) {});
}

TEST(PacketTrace, LosesPodsWithoutADetector) {
  expect_rows(test::kRowsWithoutDetector, [](RoutingRules& rules) { rules.detector.reset(); });
}

TEST(PacketTrace, MasqueradesAllThatGoesToClusterAddressesWhenAsked) {
  expect_rows(test::kRowsMasqueradingAll, [](RoutingRules& rules) { rules.masquerade_all = true; });
  expect_rows(std::span(test::kFlowRows).subspan(3),
              [](RoutingRules& rules) { rules.masquerade_all = true; });
  expect_rows(test::kRowsMasqueradingAll, [](RoutingRules& rules) {
    rules.masquerade_all = true;
    rules.detector.reset();
  });
}

TEST(PacketTrace, RejectsAndDropsByTheEndpointsThereAre) {
  for (const IpFamily family : test::kFamilies) {
    for (const test::VerdictRow& row : test::kVerdictRows) {
      PacketWorld world(family);
      world.add_service(std::string(test::kMatrixService) + " " + row.policies);
      world.add_slice("ns/svc port=p:8080 " + std::string(row.endpoints));
      EXPECT_EQ(world.outcome("pod", "cluster", Protocol::Tcp, 80), row.pod_to_cluster) << row.name;
      EXPECT_EQ(world.outcome("outside", "node", Protocol::Tcp, 30080), row.outside_to_node_port)
          << row.name;
      EXPECT_EQ(world.outcome("node", "node", Protocol::Tcp, 30080), row.node_to_node_port)
          << row.name;
      EXPECT_EQ(world.outcome("outside", "vip", Protocol::Tcp, 80), row.outside_to_node_port)
          << row.name;
      EXPECT_EQ(world.outcome("outside", "external", Protocol::Tcp, 80), row.outside_to_node_port)
          << row.name;
    }
  }
}

TEST(PacketTrace, MasqueradesAPodThatReachesItself) {
  for (const IpFamily family : test::kFamilies) {
    PacketWorld world(family);
    world.add_service(test::kMatrixService);
    world.add_slice(test::kMatrixSlice);
    EXPECT_EQ(world.outcome("L", "cluster", Protocol::Tcp, 80), "L(snat) R");
    // It is another node's business to masquerade what comes back there.
    EXPECT_EQ(world.outcome("R", "cluster", Protocol::Tcp, 80), "L R");
  }
}

TEST(PacketTrace, AnswersForPortsThatAreNoService) {
  for (const IpFamily family : test::kFamilies) {
    PacketWorld world(family);
    world.add_service(test::kMatrixService);
    world.add_slice(test::kMatrixSlice);
    const struct {
      const char* name;
      const char* to;
      Protocol protocol;
      std::uint16_t port;
      const char* outcome;
    } cases[] = {
        // clang-format off
        {"another port of a cluster address", "cluster", Protocol::Tcp, 81, "reject"},
        {"another protocol", "cluster", Protocol::Udp, 80, "reject"},
        {"a cluster address that nobody has", "unused", Protocol::Tcp, 80, "drop"},
        {"another port of a balancer's address", "vip", Protocol::Tcp, 81, "pass"},
        {"another port of the node", "node", Protocol::Tcp, 81, "pass"},
        {"the node's own port 80", "node", Protocol::Tcp, 80, "pass"},
        {"a node port of another protocol", "node", Protocol::Udp, 30080, "pass"},
        {"the node's second address", "node2", Protocol::Tcp, 30080, "L R snat"},
        {"a node port on loopback", "loopback", Protocol::Tcp, 30080, "pass"},
        {"a node port on a service's address", "vip", Protocol::Tcp, 30080, "pass"},
        {"some Pod", "R", Protocol::Tcp, 8080, "pass"},
        // clang-format on
    };
    for (const auto& c : cases)
      EXPECT_EQ(world.outcome("outside", c.to, c.protocol, c.port), c.outcome) << c.name;
  }
}

TEST(PacketTrace, AnswersNodePortsWhereTheyAreAllowed) {
  for (const IpFamily family : test::kFamilies) {
    PacketWorld world(family);
    world.rules().node_ports = {.restricted = true, .addresses = {world.address("node")}};
    world.add_service(test::kMatrixService);
    world.add_slice(test::kMatrixSlice);
    EXPECT_EQ(world.outcome("outside", "node", Protocol::Tcp, 30080), "L R snat");
    EXPECT_EQ(world.outcome("outside", "node2", Protocol::Tcp, 30080), "pass");
  }
}

TEST(PacketTrace, KeepsStrangersFromTheBalancer) {
  for (const IpFamily family : test::kFamilies) {
    const struct {
      const char* name;
      const char* ranges;
      const char* from;
      const char* to;
      const char* outcome;
    } cases[] = {
        // clang-format off
        {"from inside the ranges", "range=$outsides", "outside", "vip", "L R snat"},
        {"from elsewhere", "range=$outsides", "blocked", "vip", "drop"},
        {"Pods are not exempt", "range=$outsides", "pod", "vip", "drop"},
        {"nor is the node", "range=$outsides", "node", "vip", "drop"},
        {"unless it is inside", "range=$outsides range=$nodes", "node", "vip", "L R snat"},
        {"the node may send from the balancer's own address", "range=$outsides range=$nodes", "vip", "vip", "L R snat"},
        {"but not when it is outside the ranges", "range=$outsides", "vip", "vip", "drop"},
        {"external addresses are open", "range=$outsides", "blocked", "external", "L R snat"},
        {"node ports are open", "range=$outsides", "blocked", "node", "L R snat"},
        {"so is the cluster address", "range=$outsides", "pod", "cluster", "L R"},
        {"no ranges", "", "blocked", "vip", "L R snat"},
        // clang-format on
    };
    for (const auto& c : cases) {
      PacketWorld world(family);
      world.local_addresses().push_back(world.address("vip"));
      world.add_service(std::string(test::kMatrixService) + " " + c.ranges);
      world.add_slice(test::kMatrixSlice);
      EXPECT_EQ(world.outcome(c.from, c.to, Protocol::Tcp, port_at(c.to)), c.outcome) << c.name;
    }
  }
}

TEST(PacketTrace, FiltersBeforeItLooksForEndpoints) {
  PacketWorld world(IpFamily::V4);
  world.add_service(std::string(test::kMatrixService) + " range=$outsides");
  EXPECT_EQ(world.outcome("blocked", "vip", Protocol::Tcp, 80), "drop");
  EXPECT_EQ(world.outcome("outside", "vip", Protocol::Tcp, 80), "reject");
}

TEST(PacketTrace, RejectsWhereTopologyKeysEndStrictly) {
  PacketWorld world(IpFamily::V4);
  world.add_service(std::string(test::kMatrixService) + " keys=topology.kubernetes.io/zone");
  world.add_slice("ns/svc port=p:8080 $R@there%b");
  EXPECT_EQ(world.outcome("pod", "cluster", Protocol::Tcp, 80), "reject");
  EXPECT_EQ(world.outcome("outside", "node", Protocol::Tcp, 30080), "reject");
}

TEST(PacketTrace, WeighsBackendsByTheSplit) {
  PacketWorld world(IpFamily::V4);
  world.add_service(std::string(test::kMatrixService) + " eLocal");
  world.add_slice(
      "ns/svc port=p:8080 $L@here%a $L2@there%a $R@there%b $R2@there%c "
      "annotation=proxima.io/zone-split:a=a:930,b:70;b=b:1000");
  const PacketFate fate = world.fate("pod", "cluster", Protocol::Tcp, 80);
  std::vector<std::uint32_t> weights;
  for (const PacketTarget& target : fate.targets) weights.push_back(target.weight);
  EXPECT_EQ(weights, (std::vector<std::uint32_t>{465'000, 465'000, 70'000}));
  EXPECT_EQ(world.outcome("outside", "node", Protocol::Tcp, 30080), "L")
      << "a policy of Local is stronger";
}

TEST(PacketTrace, SendsOnlyWhatTheServicePortSaysToItsTargetPort) {
  PacketWorld world(IpFamily::V4);
  world.add_service("ns/svc ip=$cluster port=p:80 port=q:443 port=r:80/UDP");
  world.add_slice("ns/svc port=p:8080 port=q:8443 port=r:53/UDP $L@here");
  const auto text = [&](Protocol protocol, std::uint16_t port) {
    return to_text(world.fate("pod", "cluster", protocol, port));
  };
  EXPECT_EQ(text(Protocol::Tcp, 80), "10.180.0.1:8080");
  EXPECT_EQ(text(Protocol::Tcp, 443), "10.180.0.1:8443");
  EXPECT_EQ(text(Protocol::Udp, 80), "10.180.0.1:53");
  EXPECT_EQ(text(Protocol::Udp, 443), "reject");
}

TEST(PacketTrace, RecognisesPodsByWhereTheyComeIn) {
  PacketWorld world(IpFamily::V4);
  world.rules().detector =
      LocalDetector{.by = LocalDetector::By::InterfacePrefix, .interface = "veth"};
  world.add_service(test::kMatrixService);
  world.add_slice(test::kMatrixSlice);
  const auto fate = [&](std::string_view interface) {
    return to_text(trace(world.table(), world.local_addresses(),
                         {.source = world.address("outside"),
                          .destination = world.address("cluster"),
                          .port = 80,
                          .input_interface = interface}));
  };
  EXPECT_EQ(fate("veth12"), "10.180.0.1:8080, 10.180.1.1:8080");
  EXPECT_EQ(fate("eth0"), "10.180.0.1:8080 masqueraded, 10.180.1.1:8080 masqueraded");
}

}  // namespace
}  // namespace proxima::proxy
