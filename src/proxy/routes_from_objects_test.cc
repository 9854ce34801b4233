// SPDX-License-Identifier: Apache-2.0
// From objects as an API server sends them to packets: what the decoders leave out or change must
// not matter to the routes.
#include <gtest/gtest.h>

#include "kube/record_reader.h"
#include "proxy/node_routes.h"
#include "proxy/packet_trace.h"
#include "wire/padded_text.h"

namespace proxima::proxy {
namespace {

template <class Record>
Ref<const Record> read(std::string_view json) {
  kube::RecordReader<Record> reader(
      "object", [](const wire::Problem& problem) { ADD_FAILURE() << wire::to_text(problem); });
  const wire::PaddedText padded{json};
  return reader.object(padded.text()).record;
}

constexpr std::string_view kServiceObject = R"({
  "apiVersion": "v1", "kind": "Service",
  "metadata": {"name": "web", "namespace": "shop", "resourceVersion": "7",
               "annotations": {"proxima.io/policy": "balanced", "other": "x"}},
  "spec": {
    "type": "LoadBalancer", "clusterIP": "10.96.0.10", "clusterIPs": ["10.96.0.10", "fd00:96::10"],
    "ipFamilies": ["IPv4", "IPv6"], "ipFamilyPolicy": "PreferDualStack",
    "externalTrafficPolicy": "Local", "internalTrafficPolicy": "Cluster",
    "healthCheckNodePort": 31000, "externalIPs": ["198.51.100.7"],
    "loadBalancerSourceRanges": [" 203.0.113.0/24 "],
    "sessionAffinity": "ClientIP", "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 600}},
    "ports": [{"name": "http", "protocol": "TCP", "port": 80, "targetPort": "web", "nodePort": 30080},
              {"name": "dns", "protocol": "UDP", "port": 53, "targetPort": 5353, "nodePort": 30053}]},
  "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.4"}, {"ip": "192.0.2.5", "ipMode": "Proxy"},
                                          {"hostname": "lb.example"}]}}})";

constexpr std::string_view kSlice = R"({
  "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
  "metadata": {"name": "web-abcde", "namespace": "shop", "resourceVersion": "9",
               "labels": {"kubernetes.io/service-name": "web"},
               "annotations": {"proxima.io/zone-split": "a=a:750,b:250;b=b:1000"}},
  "addressType": "IPv4",
  "endpoints": [
    {"addresses": ["10.1.0.1"], "conditions": {"ready": true}, "nodeName": "n1", "zone": "a"},
    {"addresses": ["10.1.0.2"], "conditions": {}, "nodeName": "n2", "zone": "b"},
    {"addresses": ["10.1.0.3"], "conditions": {"ready": false, "serving": true, "terminating": true},
     "nodeName": "n1", "zone": "a"}],
  "ports": [{"name": "http", "protocol": "TCP", "port": 8080},
            {"name": "dns", "protocol": "UDP", "port": 5353},
            {"name": null, "port": 9}, {"name": "all", "port": null}]})";

class RoutesFromObjects : public ::testing::Test {
 protected:
  RoutesFromObjects() : routes_({.proxy_name = "", .rules = {rules()}}) {
    routes_.set_node({.name = Text("n1"), .zone = Text("a")});
    routes_.change_service({}, read<kube::ServiceRecord>(kServiceObject));
    routes_.change_slice({}, read<kube::EndpointSliceRecord>(kSlice));
    routes_.update();
  }

  static RoutingRules rules() {
    RoutingRules rules;
    rules.detector = LocalDetector{.range = *IpPrefix::parse("10.1.0.0/16")};
    return rules;
  }
  std::string fate(const char* from, const char* to, std::uint16_t port,
                   kube::Protocol protocol = kube::Protocol::Tcp) const {
    const std::vector<IpAddress> local = {*IpAddress::parse("192.168.0.2")};
    return to_text(trace(*routes_.table(IpFamily::V4), local,
                         {.source = *IpAddress::parse(from),
                          .destination = *IpAddress::parse(to),
                          .protocol = protocol,
                          .port = port}));
  }

  NodeRoutes routes_;
};

TEST_F(RoutesFromObjects, SendPacketsWhereTheObjectsSay) {
  EXPECT_EQ(fate("10.1.0.9", "10.96.0.10", 80), "10.1.0.1:8080, 10.1.0.2:8080");
  EXPECT_EQ(fate("203.0.113.9", "192.168.0.2", 30080), "10.1.0.1:8080");
  EXPECT_EQ(fate("203.0.113.9", "192.0.2.4", 80), "10.1.0.1:8080");
  EXPECT_EQ(fate("198.51.100.9", "192.0.2.4", 80), "drop") << "outside the source ranges";
  EXPECT_EQ(fate("203.0.113.9", "192.0.2.5", 80), "pass") << "a balancer of mode Proxy";
  EXPECT_EQ(fate("203.0.113.9", "198.51.100.7", 80), "10.1.0.1:8080");
  EXPECT_EQ(fate("10.1.0.9", "10.96.0.10", 53, kube::Protocol::Udp),
            "10.1.0.1:5353, 10.1.0.2:5353");
}

TEST_F(RoutesFromObjects, KeepWhatTheWriterNeeds) {
  const auto ports = routes_.table(IpFamily::V4)->ports_of(Text("shop"), Text("web"));
  ASSERT_EQ(ports.size(), 2U);
  const PortRoutes& dns = *ports[0];
  EXPECT_EQ(dns.serving.size(), 3U) << "flows to the one that ends are not stale";
  const PortRoutes& http = *ports[1];
  EXPECT_EQ(http.port.affinity_seconds, 600U);
  EXPECT_EQ(http.port.health_check_node_port, 31000);
  EXPECT_EQ(http.local_ready, 1U);
  EXPECT_EQ(http.why.reason, policy::Reason::UsesSplit);
  EXPECT_DOUBLE_EQ(http.why.share, 0.75);
  ASSERT_EQ(http.cluster.size(), 2U);
  EXPECT_EQ(http.cluster[0].weight, 3 * http.cluster[1].weight);
}

}  // namespace
}  // namespace proxima::proxy
