// SPDX-License-Identifier: Apache-2.0
#include "core/policy/traffic_policies.h"

#include <string>

#include <gtest/gtest.h>

namespace proxima::policy {
namespace {

std::string decided_by(const std::optional<Note>& note) {
  return note ? std::string(text_of(note->reason).code) : "distribution";
}

TEST(TrafficPolicies, LocalIsStrongerThanTheDistribution) {
  using enum model::TrafficPolicy;
  const struct {
    model::TrafficPolicy external;
    model::TrafficPolicy internal;
    const char* external_result;
    const char* internal_result;
  } cases[] = {
      {Cluster, Cluster, "distribution", "distribution"},
      {Local, Cluster, "external_traffic_policy_local", "distribution"},
      {Local, Local, "external_traffic_policy_local", "internal_traffic_policy_local"},
      {Cluster, Local, "distribution", "internal_traffic_policy_local"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(std::string(c.external_result) + ", " + c.internal_result);
    model::Service service;
    service.type = model::ServiceType::NodePort;
    service.external_policy = c.external;
    service.internal_policy = c.internal;
    model::ServicePort port;
    port.node_port = 30080;
    const TrafficPolicies got = traffic_policies(service, {&port, 1});
    EXPECT_EQ(decided_by(got.external), c.external_result);
    EXPECT_EQ(decided_by(got.internal), c.internal_result);
  }
}

TEST(TrafficPolicies, ExternalLocalNeedsAWayIn) {
  using enum model::ServiceType;
  const struct {
    const char* name;
    model::ServiceType type;
    std::uint16_t node_port;
    bool external_ips;
    bool load_balancer_ip;
    bool accessible;
    bool policy_local;  // all have externalTrafficPolicy: Local
  } cases[] = {
      // clang-format off
      // name                                        type          port   ips    lb     accessible local
      {"a node port",                                NodePort,     30080, false, false, true,      true},
      {"a node port not given yet",                  NodePort,     0,     false, false, false,     true},
      {"a load balancer's address",                  LoadBalancer, 0,     false, true,  true,      true},
      {"a load balancer that has nothing yet",       LoadBalancer, 0,     false, false, false,     true},
      {"external addresses of a ClusterIP Service",  ClusterIp,    0,     true,  false, true,      true},
      {"a ClusterIP Service has no external policy", ClusterIp,    0,     false, false, false,     false},
      {"an ExternalName Service has none either",    ExternalName, 0,     false, false, false,     false},
      // clang-format on
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    model::Service service;
    service.type = c.type;
    service.external_policy = model::TrafficPolicy::Local;
    service.has_external_ips = c.external_ips;
    service.has_load_balancer_ip = c.load_balancer_ip;
    model::ServicePort port;
    port.node_port = c.node_port;
    const TrafficPolicies got = traffic_policies(service, {&port, 1});
    EXPECT_EQ(got.externally_accessible, c.accessible);
    EXPECT_EQ(got.external_policy_local, c.policy_local);
    EXPECT_EQ(got.external.has_value(), c.accessible && c.policy_local);
    EXPECT_FALSE(got.internal.has_value());
  }
}

TEST(TrafficPolicies, OneNodePortAmongManyIsAWayIn) {
  model::Service service;
  service.type = model::ServiceType::LoadBalancer;
  service.external_policy = model::TrafficPolicy::Local;
  model::ServicePort ports[2];
  ports[1].node_port = 30080;
  EXPECT_TRUE(traffic_policies(service, ports).externally_accessible);
  EXPECT_FALSE(traffic_policies(service, std::span(ports).first(1)).externally_accessible);
}

}  // namespace
}  // namespace proxima::policy
