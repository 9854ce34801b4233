// SPDX-License-Identifier: Apache-2.0
#include "proxy/watch_selection.h"

#include <gtest/gtest.h>

#include "support/route_world.h"

namespace proxima::proxy {
namespace {

TEST(WatchSelection, AsksTheServerForNoMoreThanItNeeds) {
  const WatchSelection instead = watch_selection("");
  EXPECT_EQ(instead.service_labels, "!service.kubernetes.io/service-proxy-name");
  EXPECT_EQ(instead.service_fields, "spec.clusterIP!=None");
  EXPECT_EQ(instead.slice_labels, "!service.kubernetes.io/headless");
  const WatchSelection beside = watch_selection("proxima");
  EXPECT_EQ(beside.service_labels, "service.kubernetes.io/service-proxy-name=proxima");
}

TEST(WatchSelection, RoutesServicesWithAnAddressThatNameThisProxy) {
  constexpr const char* kLabelled =
      "a/b ip=10.0.0.1 label=service.kubernetes.io/service-proxy-name:";
  const struct {
    const char* name;
    std::string service;
    const char* proxy_name;
    bool routed;
  } cases[] = {
      {"a plain Service", "a/b ip=10.0.0.1", "", true},
      {"a headless one has nothing to route", "a/b headless", "", false},
      {"an external name is resolved by DNS", "a/b ExternalName", "", false},
      {"an external name with an old address too", "a/b ExternalName ip=10.0.0.1", "", false},
      {"no address yet", "a/b", "", false},
      {"somebody else's", std::string(kLabelled) + "other", "", false},
      {"a name without a text is a name", kLabelled, "", false},
      {"ours by name", std::string(kLabelled) + "proxima", "proxima", true},
      {"somebody else's by name", std::string(kLabelled) + "other", "proxima", false},
      {"nobody's is kube-proxy's", "a/b ip=10.0.0.1", "proxima", false},
  };
  for (const auto& c : cases)
    EXPECT_EQ(is_routed(*test::service(c.service), c.proxy_name), c.routed) << c.name;
}

TEST(WatchSelection, CountsSlicesOfAServiceThatIsNotHeadless) {
  const struct {
    const char* name;
    const char* slice;
    bool routed;
  } cases[] = {
      {"IPv4", "a/b 10.0.0.1", true},
      {"IPv6", "a/b v6 fd00::1", true},
      {"host names are for DNS", "a/b fqdn www.example", false},
      {"of a headless Service", "a/b label=service.kubernetes.io/headless: 10.0.0.1", false},
      {"of no Service", "a//lonely 10.0.0.1", false},
  };
  for (const auto& c : cases) EXPECT_EQ(is_routed(*test::slice(c.slice)), c.routed) << c.name;
}

}  // namespace
}  // namespace proxima::proxy
