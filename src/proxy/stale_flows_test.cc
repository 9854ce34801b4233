// SPDX-License-Identifier: Apache-2.0
#include "proxy/stale_flows.h"

#include <gtest/gtest.h>

#include "support/packet_world.h"

namespace proxima::proxy {
namespace {

using test::PacketWorld;

constexpr const char* kDns =
    "ns/dns LoadBalancer ip=$cluster port=d:53/UDP>30053 vip=$vip external=$external";

class Flows {
 public:
  Flows(std::string_view service, std::string_view slice) {
    world_.add_service(service);
    if (!slice.empty()) world_.add_slice(slice);
  }
  bool stale(std::string_view to, std::uint16_t port, std::string_view from,
             std::uint16_t from_port) const {
    const TrackedFlow flow{{world_.address(to), port}, {world_.address(from), from_port}};
    return !stale_flows(world_.table(), std::span(&flow, 1)).empty();
  }

 private:
  PacketWorld world_{IpFamily::V4};
};

TEST(StaleFlows, AreThoseToBackendsThatNoLongerServe) {
  const Flows flows(kDns, "ns/dns port=d:5353/UDP $L@here $R@there~ $R2@there!");
  const struct {
    const char* name;
    const char* to;
    std::uint16_t port;
    const char* from;
    std::uint16_t from_port;
    bool stale;
  } cases[] = {
      {"to one that serves", "cluster", 53, "L", 5353, false},
      {"to one that ends and still serves", "cluster", 53, "R", 5353, false},
      {"to one that no longer serves", "cluster", 53, "R2", 5353, true},
      {"to one that is gone", "cluster", 53, "L2", 5353, true},
      {"to another port of one that serves", "cluster", 53, "L", 53, true},
      {"never translated", "cluster", 53, "cluster", 53, true},
      {"through the balancer", "vip", 53, "R2", 5353, true},
      {"through the balancer, still served", "vip", 53, "L", 5353, false},
      {"through an external address", "external", 53, "L2", 5353, true},
      {"through a node port", "node", 30053, "L2", 5353, true},
      {"through a node port, still served", "node", 30053, "L", 5353, false},
      {"through a node port of any address", "outside", 30053, "L2", 5353, true},
      {"another port of the cluster address", "cluster", 54, "L2", 5353, false},
      {"no service at all", "outside", 53, "outside", 53, false},
  };
  for (const auto& c : cases)
    EXPECT_EQ(flows.stale(c.to, c.port, c.from, c.from_port), c.stale) << c.name;
}

TEST(StaleFlows, AreNoneOfAServiceWithoutServingEndpoints) {
  EXPECT_FALSE(Flows(kDns, "").stale("cluster", 53, "L", 5353));
  EXPECT_FALSE(Flows(kDns, "ns/dns port=d:5353/UDP $L@here!").stale("cluster", 53, "L", 5353));
}

TEST(StaleFlows, DoNotFollowPolicies) {
  const std::string local = std::string(kDns) + " iLocal eLocal";
  EXPECT_FALSE(
      Flows(local, "ns/dns port=d:5353/UDP $L@here $R@there").stale("cluster", 53, "R", 5353));
}

TEST(StaleFlows, OfOtherProtocolsAreNobodysBusiness) {
  const Flows flows("ns/web ip=$cluster port=p:53", "ns/web port=p:5353 $L@here");
  EXPECT_FALSE(flows.stale("cluster", 53, "R", 5353));
}

}  // namespace
}  // namespace proxima::proxy
