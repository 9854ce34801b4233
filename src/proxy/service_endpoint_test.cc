// SPDX-License-Identifier: Apache-2.0
#include "proxy/service_endpoint.h"

#include <gtest/gtest.h>

#include "support/route_world.h"

namespace proxima::proxy {
namespace {

std::string printed(const ServiceEndpoint& endpoint) {
  std::string text = endpoint.address.text() + ":" + std::to_string(endpoint.port);
  if (endpoint.local) text += "@";
  if (!endpoint.ready) text += endpoint.terminating ? "~" : endpoint.serving ? "?" : "!";
  if (endpoint.zone_hint == HintMatch::Ours) text += "+";
  if (endpoint.zone_hint == HintMatch::Others) text += "-";
  if (endpoint.node_hint == HintMatch::Ours) text += "^";
  if (endpoint.node_hint == HintMatch::Others) text += "v";
  return text;
}

std::string listed(const std::vector<std::string>& slices, IpFamily family = IpFamily::V4) {
  const NodeView here{.name = Text("n1"), .zone = Text("a")};
  std::vector<SliceRef> records;
  for (const std::string& slice : slices) records.push_back(test::slice(slice));
  std::string text;
  for (const PortEndpoints& port : list_endpoints(records, family, here)) {
    text += (text.empty() ? "" : "; ") + std::string(port.name.view()) + "/" +
            std::string(kube::to_text(port.protocol));
    for (const ServiceEndpoint& endpoint : port.endpoints) text += " " + printed(endpoint);
  }
  return text;
}

TEST(ServiceEndpoints, AreThoseOfAllSlicesByPort) {
  const struct {
    const char* name;
    std::vector<std::string> slices;
    const char* endpoints;
  } cases[] = {
      {"no slice", {}, ""},
      {"no port", {"s/a 10.0.0.1"}, ""},
      {"in the order of addresses, not of text",
       {"s/a port=p:80 10.0.0.10 10.0.0.2"},
       "p/TCP 10.0.0.2:80 10.0.0.10:80"},
      {"two slices",
       {"s/a/x port=p:80 10.0.0.1", "s/a/y port=p:80 10.0.0.2"},
       "p/TCP 10.0.0.1:80 10.0.0.2:80"},
      {"every port has every endpoint",
       {"s/a port=q:443 port=p:80 10.0.0.1 10.0.0.2"},
       "p/TCP 10.0.0.1:80 10.0.0.2:80; q/TCP 10.0.0.1:443 10.0.0.2:443"},
      {"one name, two protocols",
       {"s/a port=p:53 port=p:53/UDP 10.0.0.1"},
       "p/TCP 10.0.0.1:53; p/UDP 10.0.0.1:53"},
      {"one port, another number in another slice",
       {"s/a/x port=p:80 10.0.0.1", "s/a/y port=p:8080 10.0.0.2"},
       "p/TCP 10.0.0.1:80 10.0.0.2:8080"},
      {"a port without a number, or with an impossible one, is none",
       {"s/a port=p:0 port=q:70000 port=r:65535 10.0.0.1"},
       "r/TCP 10.0.0.1:65535"},
      {"an unnamed port", {"s/a port=:80 10.0.0.1"}, "/TCP 10.0.0.1:80"},
      {"a port whose endpoints are gone", {"s/a port=p:80"}, "p/TCP"},
      {"leading zeros are decimal", {"s/a port=p:80 10.000.000.001"}, "p/TCP 10.0.0.1:80"},
      {"what is no address is passed over",
       {"s/a port=p:80 nonsense 10.0.0.1"},
       "p/TCP 10.0.0.1:80"},
      {"slices of the other family do not count", {"s/a v6 port=p:80 fd00::1"}, ""},
      {"nor does an address of the other family",
       {"s/a port=p:80 fd00::1 10.0.0.1"},
       "p/TCP 10.0.0.1:80"},
      {"every state is listed",
       {"s/a port=p:80 10.0.0.1! 10.0.0.2~ 10.0.0.3?"},
       "p/TCP 10.0.0.1:80! 10.0.0.2:80~ 10.0.0.3:80?"},
      {"those on this node are local",
       {"s/a port=p:80 10.0.0.1@n1 10.0.0.2@n2"},
       "p/TCP 10.0.0.1:80@ 10.0.0.2:80"},
      {"hints for this zone and others",
       {"s/a port=p:80 10.0.0.1+a 10.0.0.2+b 10.0.0.3+b+a"},
       "p/TCP 10.0.0.1:80+ 10.0.0.2:80- 10.0.0.3:80+"},
      {"hints for this node and others",
       {"s/a port=p:80 10.0.0.1^n1 10.0.0.2^n2"},
       "p/TCP 10.0.0.1:80^ 10.0.0.2:80v"},
      {"an address in two slices is one endpoint",
       {"s/a/x port=p:80 10.0.0.1", "s/a/y port=p:80 10.0.0.1"},
       "p/TCP 10.0.0.1:80"},
      {"a running Pod wins over one that ends",
       {"s/a/x version=1 port=p:80 10.0.0.1@n1", "s/a/y version=2 port=p:80 10.0.0.1~"},
       "p/TCP 10.0.0.1:80@"},
      {"in whichever order",
       {"s/a/x version=2 port=p:80 10.0.0.1~", "s/a/y version=1 port=p:80 10.0.0.1@n1"},
       "p/TCP 10.0.0.1:80@"},
      {"else the later writing",
       {"s/a/x version=1 port=p:80 10.0.0.1", "s/a/y version=2 port=p:80 10.0.0.1!"},
       "p/TCP 10.0.0.1:80!"},
      {"of equals the ready one",
       {"s/a/x port=p:80 10.0.0.1", "s/a/y port=p:80 10.0.0.1!"},
       "p/TCP 10.0.0.1:80"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(listed(c.slices), c.endpoints) << c.name;
    EXPECT_EQ(listed({c.slices.rbegin(), c.slices.rend()}), c.endpoints) << c.name << ", reversed";
  }
}

TEST(ServiceEndpoints, OfTheOtherFamilyAreInTheirOwnSlices) {
  EXPECT_EQ(
      listed({"s/a/x v6 port=p:80 fd00::2 fd00:0::1", "s/a/y port=p:80 10.0.0.1"}, IpFamily::V6),
      "p/TCP fd00::1:80 fd00::2:80");
}

TEST(ServiceEndpoints, OfAnEmptyZoneMatchNoHint) {
  const NodeView nowhere{.name = Text("n1")};
  const std::vector<SliceRef> slices = {test::slice("s/a port=p:80 10.0.0.1+")};
  const auto ports = list_endpoints(slices, IpFamily::V4, nowhere);
  EXPECT_EQ(printed(ports.at(0).endpoints.at(0)), "10.0.0.1:80-");
}

TEST(ServiceEndpoints, AreOfTheFirstPortsOfASlice) {
  auto record = make_ref<kube::EndpointSliceRecord>(*test::slice("s/a 10.0.0.1"));
  for (int i = 0; i < 20'000; ++i)
    record->ports.push_back({.name = Text("p" + std::to_string(i)),
                             .protocol = Text("TCP"),
                             .port = 1 + i,
                             .app_protocol = {}});
  const std::vector<SliceRef> slices = {record};
  const auto ports = list_endpoints(slices, IpFamily::V4, {});
  EXPECT_EQ(ports.size(), 1'000U);
  EXPECT_NE(find_port(ports, Text("p999"), kube::Protocol::Tcp), nullptr);
  EXPECT_EQ(find_port(ports, Text("p1000"), kube::Protocol::Tcp), nullptr);
}

TEST(ServiceEndpoints, AreToldOfOnePortAtATime) {
  const std::vector<SliceRef> slices = {test::slice("s/a/x port=q:81 port=p:80 10.0.0.1 10.0.0.2"),
                                        test::slice("s/a/y port=p:8080 10.0.0.3")};
  std::string told;
  each_port(slices, IpFamily::V4, {}, [&](const PortEndpoints& port) {
    told += std::string(port.name.view()) + " " + std::to_string(port.endpoints.size()) + "; ";
  });
  EXPECT_EQ(told, "p 3; q 2; ");
}

TEST(ServiceEndpoints, AreFoundByNameAndProtocol) {
  const std::vector<SliceRef> slices = {test::slice("s/a port=p:80 port=p:81/UDP 10.0.0.1")};
  const auto ports = list_endpoints(slices, IpFamily::V4, {});
  EXPECT_EQ(find_port(ports, Text("p"), kube::Protocol::Udp)->endpoints.at(0).port, 81);
  EXPECT_EQ(find_port(ports, Text("p"), kube::Protocol::Sctp), nullptr);
}

}  // namespace
}  // namespace proxima::proxy
