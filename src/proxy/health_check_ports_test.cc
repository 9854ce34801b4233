// SPDX-License-Identifier: Apache-2.0
#include "proxy/health_check_ports.h"

#include <gtest/gtest.h>

#include "proxy/node_routes.h"
#include "support/route_world.h"

namespace proxima::proxy {
namespace {

constexpr const char* kHealthCheckService =
    "s/w LoadBalancer ip=10.0.0.1 port=p:80>30080 port=q:81>30081 eLocal health=32000";

std::string printed(const HealthCheckPorts& ports) {
  std::string text;
  for (const auto& [name, port] : ports.all())
    text += std::string(name.second.view()) + " " + std::to_string(port.node_port) + " " +
            std::to_string(port.local_ready);
  return text;
}

TEST(HealthCheckPorts, CountReadyAddressesOnThisNode) {
  const struct {
    const char* name;
    const char* service;
    const char* slice;
    const char* ports;
  } cases[] = {
      // clang-format off
      {"two are ready here", kHealthCheckService, "s/w port=p:80 port=q:81 10.1.0.1@n1 10.1.0.2@n1", "w 32000 2"},
      {"an address counts once, whatever the number of ports", kHealthCheckService, "s/w port=p:80 port=q:81 10.1.0.1@n1", "w 32000 1"},
      {"those elsewhere do not count", kHealthCheckService, "s/w port=p:80 10.1.0.1@n1 10.1.0.2@n2", "w 32000 1"},
      {"those that end do not count, though they serve", kHealthCheckService, "s/w port=p:80 10.1.0.1@n1~", "w 32000 0"},
      {"those that are not ready do not count", kHealthCheckService, "s/w port=p:80 10.1.0.1@n1!", "w 32000 0"},
      {"no endpoint", kHealthCheckService, "s/w port=p:80", "w 32000 0"},
      {"policy Cluster has no such port", "s/w LoadBalancer ip=10.0.0.1 port=p:80 health=32000", "s/w port=p:80 10.1.0.1@n1", ""},
      // clang-format on
  };
  for (const auto& c : cases) {
    NodeRoutes routes({.proxy_name = "", .rules = {RoutingRules()}});
    routes.set_node({.name = Text("n1")});
    HealthCheckPorts ports;
    const auto update = [&] {
      const auto changes = routes.update();
      ports.apply(*routes.table(IpFamily::V4), changes.at(0).changes);
    };
    routes.change_service({}, test::service(c.service));
    update();
    routes.change_slice({}, test::slice(c.slice));
    update();
    EXPECT_EQ(printed(ports), c.ports) << c.name;
    routes.change_service(test::service(c.service), {});
    update();
    EXPECT_EQ(printed(ports), "") << c.name << ", gone again";
  }
}

TEST(HealthCheckPorts, FollowAPortThatChanges) {
  NodeRoutes routes({.proxy_name = "", .rules = {RoutingRules()}});
  HealthCheckPorts ports;
  routes.change_service({}, test::service(kHealthCheckService));
  const auto first = routes.update();
  ports.apply(*routes.table(IpFamily::V4), first.at(0).changes);
  EXPECT_EQ(printed(ports), "w 32000 0");
  routes.change_service(
      {}, test::service("s/w LoadBalancer ip=10.0.0.1 port=q:81>30081 eLocal health=32001"));
  const auto changes = routes.update();
  ports.apply(*routes.table(IpFamily::V4), changes.at(0).changes);
  EXPECT_EQ(printed(ports), "w 32001 0");
}

}  // namespace
}  // namespace proxima::proxy
