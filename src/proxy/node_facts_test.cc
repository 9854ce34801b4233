// SPDX-License-Identifier: Apache-2.0
#include "proxy/node_facts.h"

#include <gtest/gtest.h>

#include "proxy/local_addresses.h"

namespace proxima::proxy {
namespace {

IpAddress address(std::string_view text) { return *IpAddress::parse(text); }

Ref<const kube::NodeRecord> node_record(const char* name, const char* ip) {
  auto record = make_ref<kube::NodeRecord>();
  record->meta.name = Text(name);
  record->internal_ips = {address(ip)};
  record->pod_cidrs = {Text("10.244.1.0/24")};
  return record;
}

class NodeFactsTest : public ::testing::Test {
 protected:
  telemetry::MetricsRegistry registry_;
  ProxyMetrics metrics_{registry_};
  ProxyIntake intake_{metrics_};
  KnownNode known_{"n1"};
  ProxyConfig config_ = default_proxy_config();
};

TEST_F(NodeFactsTest, ANodeThatIsGoneIsAsItWasLastSeen) {
  known_.look(intake_);
  EXPECT_FALSE(known_.is_known());
  EXPECT_EQ(known_.view().name, Text("n1"));
  intake_.nodes.put(node_record("n1", "192.168.0.2"));
  known_.look(intake_);
  EXPECT_TRUE(known_.is_known());
  intake_.nodes.erase({{}, "n1"});
  known_.look(intake_);
  EXPECT_EQ(known_.view().addresses, std::vector{address("192.168.0.2")});
  EXPECT_EQ(known_.pod_ranges(), std::vector<std::string>{"10.244.1.0/24"});
}

TEST_F(NodeFactsTest, TheFlagForTheNodesAddressComesFirst) {
  intake_.nodes.put(node_record("n1", "192.168.0.2"));
  known_.look(intake_);
  for (const char* unspecified : {"0.0.0.0", "::"}) {
    config_.bind_address = unspecified;
    EXPECT_EQ(node_facts(config_, known_, intake_, {}).node_addresses,
              std::vector{address("192.168.0.2")});
  }
  config_.bind_address = "192.168.9.9";
  EXPECT_EQ(node_facts(config_, known_, intake_, {}).node_addresses,
            (std::vector{address("192.168.9.9"), address("192.168.0.2")}));
}

TEST_F(NodeFactsTest, ServiceRangesAreThoseOfAllObjects) {
  for (const auto& [name, range] : {std::pair("a", "10.96.0.0/16"), std::pair("b", "fd00::/112")}) {
    auto record = make_ref<kube::ServiceCidrRecord>();
    record->meta.name = Text(name);
    record->cidrs = {Text(range)};
    intake_.ranges.put(record);
  }
  EXPECT_EQ(node_facts(config_, known_, intake_, {}).service_ranges,
            (std::vector<std::string>{"10.96.0.0/16", "fd00::/112"}));
}

TEST(LocalAddresses, AreInOrderAndEachOnce) {
  const auto all = fetch_local_addresses();
  ASSERT_TRUE(all);
  EXPECT_TRUE(std::is_sorted(all->begin(), all->end()));
  EXPECT_EQ(std::adjacent_find(all->begin(), all->end()), all->end());
}

}  // namespace
}  // namespace proxima::proxy
