// SPDX-License-Identifier: Apache-2.0
#include "proxy/routing_wish.h"

#include <gtest/gtest.h>

#include "support/route_world.h"

namespace proxima::proxy {
namespace {

std::string wish(std::string_view service, const WishOptions& options) {
  const RoutingWish wish = routing_wish(*test::service(service), options);
  switch (wish.kind) {
    case RoutingWish::Kind::FollowSlices:
      return "slices";
    case RoutingWish::Kind::PreferSameNode:
      return "node";
    case RoutingWish::Kind::PreferSameZone:
      return "zone";
    case RoutingWish::Kind::RequireZone:
      return "this zone";
    case RoutingWish::Kind::TopologyKeys:
      break;
  }
  std::string keys;
  for (const Text& key : wish.keys) keys += (keys.empty() ? "" : ",") + std::string(key.view());
  return keys;
}

TEST(RoutingWish, IsReadFromTheService) {
  const struct {
    const char* name;
    const char* service;
    const char* followed;  // with a controller
    const char* alone;     // planning by itself
  } cases[] = {
      {"a Service that says nothing", "a/b", "slices", "slices"},
      {"keys in the field", "a/b keys=kubernetes.io/hostname keys=*", "kubernetes.io/hostname,*",
       "kubernetes.io/hostname,*"},
      {"keys in the annotation",
       "a/b annotation=proxima.io/topology-keys:topology.kubernetes.io/zone",
       "topology.kubernetes.io/zone", "topology.kubernetes.io/zone"},
      {"keys that are refused do not count", "a/b keys=* keys=kubernetes.io/hostname", "slices",
       "slices"},
      {"traffic distribution is the controller's business", "a/b distribution=PreferClose",
       "slices", "zone"},
      {"so is the own node", "a/b distribution=PreferSameNode", "slices", "node"},
      {"a policy in our own words", "a/b annotation=proxima.io/policy:prefer-same-zone", "slices",
       "zone"},
      {"a zone that must not be left", "a/b annotation=proxima.io/policy:require-zone", "this zone",
       "this zone"},
      {"in the field", "a/b distribution=proxima.io/RequireZone", "this zone", "this zone"},
      {"what needs the whole cluster is left to the controller",
       "a/b annotation=proxima.io/policy:balanced", "slices", "slices"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(wish(c.service, {}), c.followed) << c.name;
    EXPECT_EQ(wish(c.service, {.plans_by_itself = true}), c.alone) << c.name;
  }
}

TEST(RoutingWish, NeedsNoNamespace) {
  kube::ServiceRecord service;
  service.meta.name = Text("web");
  service.traffic_distribution = Text("PreferClose");
  EXPECT_EQ(routing_wish(service, {.plans_by_itself = true}).kind,
            RoutingWish::Kind::PreferSameZone);
}

TEST(RoutingWish, MayComeFromTheClusterDefault) {
  WishOptions options{.plans_by_itself = true};
  options.defaults.policy = policy::PolicyKind::PreferSameZone;
  EXPECT_EQ(wish("a/b", options), "zone");
}

}  // namespace
}  // namespace proxima::proxy
