// SPDX-License-Identifier: Apache-2.0
#include "proxy/service_port.h"

#include <gtest/gtest.h>

#include "support/route_world.h"

namespace proxima::proxy {
namespace {

template <class T>
std::string joined(std::string_view title, const SharedList<T>& values) {
  if (values.empty()) return {};
  std::string text = " " + std::string(title) + "=";
  for (const T& value : values) text += (&value == &values.front() ? "" : ",") + value.text();
  return text;
}

std::string printed(const ServicePort& port) {
  std::string text =
      to_text(port.key) + " " + port.cluster_ip.text() + " " + std::to_string(port.port);
  if (port.node_port != 0) text += " >" + std::to_string(port.node_port);
  text += joined("external", port.external_ips) + joined("vip", port.load_balancer_ips) +
          joined("range", port.source_ranges);
  if (port.affinity_seconds != 0) text += " affinity=" + std::to_string(port.affinity_seconds);
  if (port.remembers_fewer_clients) text += " fewer-clients";
  if (port.health_check_node_port != 0)
    text += " health=" + std::to_string(port.health_check_node_port);
  if (port.internal_policy_local) text += " internal-local";
  if (port.external_policy_local) text += " external-local";
  if (port.externally_accessible) text += " accessible";
  return text;
}

std::string printed(std::string_view service, IpFamily family, ServicePortOptions options = {}) {
  std::string text;
  for (const ServicePort& port : service_ports(*test::service(service), family, options))
    text += (text.empty() ? "" : "; ") + printed(port);
  return text;
}

TEST(ServicePorts, AreWhatOneFamilySeesOfAService) {
  constexpr auto kV4 = IpFamily::V4;
  constexpr auto kV6 = IpFamily::V6;
  const struct {
    const char* name;
    const char* service;
    IpFamily family;
    const char* ports;
  } cases[] = {
      {"nothing to route", "a/b", kV4, ""},
      {"no ports", "a/b ip=10.0.0.1", kV4, ""},
      {"a port", "a/b ip=10.0.0.1 port=p:80", kV4, "a/b:p/TCP 10.0.0.1 80"},
      {"an unnamed port", "a/b ip=10.0.0.1 port=:80", kV4, "a/b/TCP 10.0.0.1 80"},
      {"one number, three protocols", "a/b ip=10.0.0.1 port=p:53 port=q:53/UDP port=r:53/SCTP", kV4,
       "a/b:p/TCP 10.0.0.1 53; a/b:q/UDP 10.0.0.1 53; a/b:r/SCTP 10.0.0.1 53"},
      {"nothing for the other family", "a/b ip=10.0.0.1 port=p:80", kV6, ""},
      {"two families", "a/b ip=10.0.0.1 ip=fd00::1 port=p:80", kV6, "a/b:p/TCP fd00::1 80"},
      {"two families, the other first", "a/b ip=fd00::1 ip=10.0.0.1 port=p:80", kV4,
       "a/b:p/TCP 10.0.0.1 80"},
      {"a node port", "a/b NodePort ip=10.0.0.1 port=p:80>30080", kV4,
       "a/b:p/TCP 10.0.0.1 80 >30080 accessible"},
      {"addresses of the family only",
       "a/b LoadBalancer ip=10.0.0.1 port=p:80 external=1.2.3.4 external=fd00::9 vip=5.6.7.8 "
       "vip=fd00::8 range=9.0.0.0/8 range=fd01::/16",
       kV4, "a/b:p/TCP 10.0.0.1 80 external=1.2.3.4 vip=5.6.7.8 range=9.0.0.0/8 accessible"},
      {"and the same for IPv6",
       "a/b LoadBalancer ip=10.0.0.1 ip=fd00::1 port=p:80 external=1.2.3.4 external=fd00::9 "
       "vip=5.6.7.8 vip=fd00::8 range=9.0.0.0/8 range=fd01::/16",
       kV6, "a/b:p/TCP fd00::1 80 external=fd00::9 vip=fd00::8 range=fd01::/16 accessible"},
      {"a balancer that ends connections itself is not routed to",
       "a/b LoadBalancer ip=10.0.0.1 port=p:80 proxied=5.6.7.8", kV4, "a/b:p/TCP 10.0.0.1 80"},
      {"blanks around ranges", "a/b ip=10.0.0.1 port=p:80 range=_9.0.0.0/8_ range=__", kV4,
       "a/b:p/TCP 10.0.0.1 80 range=9.0.0.0/8"},
      {"a range of everything allows everyone",
       "a/b ip=10.0.0.1 port=p:80 range=9.0.0.0/8 range=0.0.0.0/0", kV4, "a/b:p/TCP 10.0.0.1 80"},
      {"everything of the other family says nothing",
       "a/b ip=10.0.0.1 port=p:80 range=9.0.0.0/8 range=::/0", kV4,
       "a/b:p/TCP 10.0.0.1 80 range=9.0.0.0/8"},
      {"affinity", "a/b ip=10.0.0.1 port=p:80 affinity=10800", kV4,
       "a/b:p/TCP 10.0.0.1 80 affinity=10800"},
      {"internal policy Local", "a/b ip=10.0.0.1 port=p:80 iLocal", kV4,
       "a/b:p/TCP 10.0.0.1 80 internal-local"},
      {"external policy Local needs a type that has it", "a/b ip=10.0.0.1 port=p:80 eLocal", kV4,
       "a/b:p/TCP 10.0.0.1 80"},
      {"or external addresses", "a/b ip=10.0.0.1 port=p:80 external=1.2.3.4 eLocal", kV4,
       "a/b:p/TCP 10.0.0.1 80 external=1.2.3.4 external-local accessible"},
      {"a health check is for balancers with policy Local",
       "a/b LoadBalancer ip=10.0.0.1 port=p:80>30080 eLocal health=32000", kV4,
       "a/b:p/TCP 10.0.0.1 80 >30080 health=32000 external-local accessible"},
      {"and for nobody else", "a/b NodePort ip=10.0.0.1 port=p:80>30080 eLocal health=32000", kV4,
       "a/b:p/TCP 10.0.0.1 80 >30080 external-local accessible"},
      {"nor with policy Cluster", "a/b LoadBalancer ip=10.0.0.1 port=p:80 health=32000", kV4,
       "a/b:p/TCP 10.0.0.1 80"},
  };
  for (const auto& c : cases) EXPECT_EQ(printed(c.service, c.family), c.ports) << c.name;
}

TEST(ServicePorts, CountExternalAddressesThatAreNotRouted) {
  EXPECT_EQ(printed("a/b ip=10.0.0.1 port=p:80 external=1.2.3.4 eLocal", IpFamily::V4,
                    {.routes_external_ips = false}),
            "a/b:p/TCP 10.0.0.1 80 external-local accessible");
}

}  // namespace
}  // namespace proxima::proxy
