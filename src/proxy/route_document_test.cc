// SPDX-License-Identifier: Apache-2.0
#include "proxy/route_document.h"

#include <gtest/gtest.h>

#include "support/packet_world.h"

namespace proxima::proxy {
namespace {

TEST(RouteDocument, SaysEverythingAboutAPort) {
  test::PacketWorld world(IpFamily::V4);
  world.add_service(
      "ns/svc LoadBalancer ip=$cluster port=p:80 vip=$vip eLocal affinity=60 range=$outsides");
  world.add_slice("ns/svc port=p:8080 $L@here%a $R@there");
  EXPECT_EQ(
      render_routes(world.table()),
      R"({"family":"IPv4","ports":[)"
      "\n"
      R"({"namespace":"ns","service":"svc","port":"p","protocol":"TCP",)"
      R"("reason":{"code":"cluster_wide","sentence":"every ready endpoint is used alike, wherever it is"},)"
      R"("localReason":{"code":"local_endpoints_only",)"
      R"("sentence":"a traffic policy of Local uses the 1 endpoints on this node only"},)"
      R"("frontends":[{"at":"172.30.0.41:80/TCP","kind":"ClusterIP","fromPods":"cluster",)"
      R"("fromNode":"cluster, masqueraded","fromOutside":"cluster, masqueraded"},)"
      R"({"at":"1.2.3.4:80/TCP","kind":"LoadBalancer","fromPods":"cluster",)"
      R"("fromNode":"cluster, masqueraded","fromOutside":"local"}],)"
      R"("cluster":[{"endpoint":"10.180.0.1:8080","permille":500,"local":true,"zone":"a"},)"
      R"({"endpoint":"10.180.1.1:8080","permille":500,"local":false}],)"
      R"("local":[{"endpoint":"10.180.0.1:8080","permille":1000,"local":true,"zone":"a"}],)"
      R"("affinitySeconds":60,"allowedSources":["203.0.113.0/24"]})"
      "\n]}\n");
}

TEST(RouteDocument, SaysWhoHoldsAnAddressThatTwoClaim) {
  test::PacketWorld world(IpFamily::V6);
  world.add_service("ns/a ip=$cluster port=p:80 external=$external");
  world.add_service("ns/b ip=$unused port=p:80 external=$external");
  const std::string routes = render_routes(world.table(), {.ns = "ns", .service = "b"});
  EXPECT_NE(routes.find(R"("takenBy":"ns/a:p/TCP")"), std::string::npos) << routes;
  EXPECT_EQ(routes.find(R"("service":"a")"), std::string::npos) << routes;
  EXPECT_NE(routes.find(R"("at":"[2001:db8:2::8]:80/TCP")"), std::string::npos) << routes;
}

TEST(RouteDocument, SaysWhichExternalAddressesAreTheNodesOwn) {
  test::PacketWorld world(IpFamily::V4);
  world.rules().own_addresses = {world.address("node")};
  world.add_service("ns/a ip=$cluster port=p:22 external=$node external=$external");
  const std::string routes = render_routes(world.table());
  EXPECT_NE(routes.find(R"("refused":[{"code":"external_ip_of_node","sentence":"spec.externalIPs: )"
                        R"(192.168.0.2 is an address of this node)"),
            std::string::npos)
      << routes;
  EXPECT_EQ(routes.find(R"("at":"192.168.0.2:22/TCP")"), std::string::npos) << routes;
  EXPECT_NE(routes.find(R"("at":"5.6.7.8:22/TCP")"), std::string::npos) << routes;
}

TEST(RouteDocument, OfNothingIsStillADocument) {
  EXPECT_EQ(render_routes(RouteTable()), "{\"family\":\"IPv4\",\"ports\":[\n]}\n");
}

}  // namespace
}  // namespace proxima::proxy
