// SPDX-License-Identifier: Apache-2.0
#include "proxy/route_counts.h"

#include <gtest/gtest.h>

#include "proxy/node_routes.h"
#include "support/route_world.h"

namespace proxima::proxy {
namespace {

TEST(RouteCounts, TellHowManyPortsLackALocalEndpoint) {
  const struct {
    const char* name;
    const char* service;
    const char* slice;
    std::uint64_t internal, external;
    policy::Reason why;
  } cases[] = {
      // clang-format off
      {"one is here", "s/w NodePort ip=10.0.0.1 port=p:80>30080 iLocal eLocal", "s/w port=p:80 10.1.0.1@n1", 0, 0, policy::Reason::ClusterWide},
      {"all elsewhere", "s/w NodePort ip=10.0.0.1 port=p:80>30080 iLocal eLocal", "s/w port=p:80 10.1.0.1@n2", 1, 1, policy::Reason::ClusterWide},
      {"internal only", "s/w ip=10.0.0.1 port=p:80 iLocal", "s/w port=p:80 10.1.0.1@n2", 1, 0, policy::Reason::NoLocalEndpoint},
      {"external only", "s/w NodePort ip=10.0.0.1 port=p:80>30080 eLocal", "s/w port=p:80 10.1.0.1@n2", 0, 1, policy::Reason::ClusterWide},
      {"an address that the cloud has not given yet", "s/w LoadBalancer ip=10.0.0.1 port=p:80 eLocal", "s/w port=p:80 10.1.0.1@n2", 0, 1, policy::Reason::ClusterWide},
      {"no endpoint anywhere is something else", "s/w NodePort ip=10.0.0.1 port=p:80>30080 iLocal eLocal", "s/w port=p:80", 0, 0, policy::Reason::NoEndpoints},
      {"policies of Cluster", "s/w NodePort ip=10.0.0.1 port=p:80>30080", "s/w port=p:80 10.1.0.1@n2", 0, 0, policy::Reason::ClusterWide},
      // clang-format on
  };
  for (const auto& c : cases) {
    NodeRoutes routes({.proxy_name = "", .rules = {RoutingRules()}});
    routes.set_node({.name = Text("n1")});
    RouteCounts counts;
    routes.change_slice({}, test::slice(c.slice));
    routes.change_service({}, test::service(c.service));
    counts.apply(routes.update().at(0).changes);
    EXPECT_EQ(counts.no_local_internal, c.internal) << c.name;
    EXPECT_EQ(counts.no_local_external, c.external) << c.name;
    EXPECT_EQ(counts.ports_by_reason, (std::map<policy::Reason, std::uint64_t>{{c.why, 1}}))
        << c.name;
    routes.change_service(test::service(c.service), {});
    counts.apply(routes.update().at(0).changes);
    EXPECT_EQ(counts, RouteCounts()) << c.name << ", gone again";
  }
}

TEST(RouteCounts, CountPortsAndBackends) {
  NodeRoutes routes({.proxy_name = "", .rules = {RoutingRules()}});
  RouteCounts counts;
  routes.change_service({}, test::service("s/w ip=10.0.0.1 port=p:80 port=q:81"));
  routes.change_slice({}, test::slice("s/w port=p:80 10.1.0.1 10.1.0.2 10.1.0.3!"));
  counts.apply(routes.update().at(0).changes);
  EXPECT_EQ(counts.ports, 2U);
  EXPECT_EQ(counts.backends, 2U);
}

}  // namespace
}  // namespace proxima::proxy
