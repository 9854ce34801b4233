// SPDX-License-Identifier: Apache-2.0
// What Services get and what they are refused. The words are those of kube-apiserver 1.36.4.
#include "apiserver/service_allocation.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <set>

#include "apiserver/object_rules.h"
#include "apiserver/rules/json_fields.h"

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;

std::unique_ptr<ServiceAllocator> allocator(std::vector<std::string> cidrs = {"10.96.0.0/16"}) {
  AllocationRanges ranges;
  ranges.service_cidrs = std::move(cidrs);
  ranges.seed = 7;
  return std::move(ServiceAllocator::create(ranges)).value();
}

JsonFields service(std::string_view spec, std::string_view name = "web") {
  JsonFields out = {{"metadata", {{"name", json::string(name)}, {"namespace", "default"}}},
                    {"spec", json::parse(spec)}};
  apply_defaults(resource_of(Kind::Service), out);
  return out;
}

// "" or the message of the refusal.
std::string allocate(ServiceAllocator& pool, JsonFields& object, const JsonFields* old = nullptr) {
  const auto errors = pool.allocate(object, old, false);
  return errors.empty() ? "" : allocation_refusal("web", errors).message;
}

std::string cluster_ip(const JsonFields& object) {
  return std::string(text_at(object_at(object, "spec"), "clusterIP"));
}

std::int64_t node_port(const JsonFields& object, std::size_t index = 0) {
  return number_at(object_of(array_at(object_at(object, "spec"), "ports")[index]), "nodePort");
}

constexpr std::string_view kPlain = R"({"ports":[{"port":80}]})";
constexpr std::string_view kNodePort = R"({"type":"NodePort","ports":[{"port":80}]})";

TEST(ServiceAllocation, GivesEveryServiceAnAddressOfItsOwn) {
  const auto pool = allocator();
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    JsonFields object = service(kPlain);
    ASSERT_EQ(allocate(*pool, object), "");
    EXPECT_TRUE(seen.insert(cluster_ip(object)).second);
    EXPECT_EQ(cluster_ip(object).substr(0, 6), "10.96.");
  }
}

TEST(ServiceAllocation, EqualSeedsGiveEqualAddresses) {
  JsonFields one = service(kPlain);
  JsonFields other = service(kPlain);
  ASSERT_EQ(allocate(*allocator(), one), "");
  ASSERT_EQ(allocate(*allocator(), other), "");
  EXPECT_EQ(one, other);
}

TEST(ServiceAllocation, LeavesTheLowerBandToThoseWhoAsk) {
  const auto pool = allocator({"10.0.0.0/24"});
  for (int i = 0; i < 238; ++i) {
    JsonFields object = service(kPlain);
    ASSERT_EQ(allocate(*pool, object), "");
    EXPECT_GE(std::stoi(cluster_ip(object).substr(7)), 17) << cluster_ip(object);
  }
  JsonFields low = service(kPlain);
  ASSERT_EQ(allocate(*pool, low), "");
  EXPECT_LT(std::stoi(cluster_ip(low).substr(7)), 17);
}

TEST(ServiceAllocation, SaysWhenTheRangeIsFull) {
  const auto pool = allocator({"10.0.0.0/30"});
  JsonFields first = service(kPlain);
  EXPECT_EQ(allocate(*pool, first), "");
  EXPECT_EQ(cluster_ip(first), "10.0.0.2");  // .1 is the API's own
  JsonFields second = service(kPlain);
  EXPECT_EQ(allocate(*pool, second),
            "Internal error occurred: failed to allocate a serviceIP for Service \"web\": range is "
            "full");
}

struct AllocationRefusal {
  std::string_view name;
  std::string_view spec;
  std::string_view message;
};

TEST(ServiceAllocation, RefusesInUpstreamsWords) {
  const auto pool = allocator({"10.96.0.0/16", "fd00:10:96::/112"});
  JsonFields taken = service(
      R"({"type":"NodePort","clusterIP":"10.96.5.5","ports":[{"port":80,"nodePort":30333}]})");
  ASSERT_EQ(allocate(*pool, taken), "");
  const std::string start = "Service \"web\" is invalid: ";
  const AllocationRefusal rows[] = {
      {"an address that is taken", R"({"ports":[{"port":80}],"clusterIP":"10.96.5.5"})",
       R"(spec.clusterIPs: Invalid value: ["10.96.5.5"]: failed to allocate IP 10.96.5.5: provided IP is already allocated)"},
      {"the API's own address", R"({"ports":[{"port":80}],"clusterIP":"10.96.0.1"})",
       R"(spec.clusterIPs: Invalid value: ["10.96.0.1"]: failed to allocate IP 10.96.0.1: provided IP is already allocated)"},
      {"an address outside", R"({"ports":[{"port":80}],"clusterIP":"10.97.0.1"})",
       R"(spec.clusterIPs: Invalid value: ["10.97.0.1"]: failed to allocate IP 10.97.0.1: the provided network does not match the current range)"},
      {"the last address", R"({"ports":[{"port":80}],"clusterIP":"10.96.255.255"})",
       R"(spec.clusterIPs: Invalid value: ["10.96.255.255"]: failed to allocate IP 10.96.255.255: the provided network does not match the current range)"},
      {"a port that is taken", R"({"type":"NodePort","ports":[{"port":80,"nodePort":30333}]})",
       "spec.ports[0].nodePort: Invalid value: 30333: provided port is already allocated"},
      {"a port outside", R"({"type":"NodePort","ports":[{"port":80,"nodePort":80}]})",
       "spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The "
       "range of valid ports is 30000-32767"},
      {"a port twice",
       R"({"type":"NodePort","ports":[{"name":"a","port":80,"nodePort":30444},{"name":"b","port":81,"nodePort":30444}]})",
       "spec.ports[1].nodePort: Invalid value: 30444: provided port is already allocated"},
  };
  for (const AllocationRefusal& row : rows) {
    JsonFields object = service(row.spec);
    EXPECT_EQ(allocate(*pool, object), start + std::string(row.message)) << row.name;
  }
  JsonFields check = service(
      R"({"type":"LoadBalancer","externalTrafficPolicy":"Local","healthCheckNodePort":30333,"ports":[{"port":80}]})");
  EXPECT_EQ(allocate(*pool, check),
            "Internal error occurred: failed to allocate requested HealthCheck NodePort 30333: "
            "provided port is already allocated");
}

TEST(ServiceAllocation, TakesNothingWhenItRefuses) {
  const auto pool = allocator();
  JsonFields refused =
      service(R"({"type":"NodePort","clusterIP":"10.96.9.9","ports":[{"port":80,"nodePort":1}]})");
  EXPECT_NE(allocate(*pool, refused), "");
  JsonFields other = service(R"({"clusterIP":"10.96.9.9","ports":[{"port":80}]})");
  EXPECT_EQ(allocate(*pool, other), "");
}

TEST(ServiceAllocation, TakesNothingInADryRun) {
  const auto pool = allocator();
  JsonFields tried = service(R"({"clusterIP":"10.96.9.9","ports":[{"port":80}]})");
  EXPECT_TRUE(pool->allocate(tried, nullptr, true).empty());
  JsonFields real = service(R"({"clusterIP":"10.96.9.9","ports":[{"port":80}]})");
  EXPECT_EQ(allocate(*pool, real), "");
}

TEST(ServiceAllocation, GivesBackWhatADeletedServiceHeld) {
  const auto pool = allocator();
  JsonFields object = service(
      R"({"type":"NodePort","clusterIP":"10.96.9.9","ports":[{"port":80,"nodePort":30100}]})");
  ASSERT_EQ(allocate(*pool, object), "");
  pool->release(object, nullptr);
  EXPECT_EQ(allocate(*pool, object), "");
}

TEST(ServiceAllocation, RemembersWhatStoredServicesHold) {
  const auto pool = allocator();
  pool->adopt(
      service(R"({"clusterIP":"10.96.9.9","clusterIPs":["10.96.9.9"],"ports":[{"port":80}]})"));
  JsonFields object = service(R"({"clusterIP":"10.96.9.9","ports":[{"port":80}]})");
  EXPECT_NE(allocate(*pool, object), "");
}

TEST(ServiceAllocation, LetsGoOnlyOfWhatAnUpdateDropped) {
  const auto pool = allocator();
  JsonFields before = service(kNodePort);
  ASSERT_EQ(allocate(*pool, before), "");
  const std::int64_t port = node_port(before);
  JsonFields after = before;
  make_object(after, "spec")["type"] = "ClusterIP";
  ASSERT_EQ(allocate(*pool, after, &before), "");
  prepare_update(resource_of(Kind::Service), {}, Subresource::None, after, before);
  EXPECT_EQ(node_port(after), 0);
  pool->release(before, &after);
  JsonFields other = service(R"({"type":"NodePort","ports":[{"port":80,"nodePort":)" +
                             std::to_string(port) + "}]}");
  EXPECT_EQ(allocate(*pool, other), "");
  JsonFields same_ip =
      service(R"({"clusterIP":")" + cluster_ip(before) + R"(","ports":[{"port":80}]})");
  EXPECT_NE(allocate(*pool, same_ip), "");
}

TEST(ServiceAllocation, SharesANodePortBetweenProtocols) {
  const auto pool = allocator();
  JsonFields object = service(
      R"({"type":"NodePort","ports":[{"name":"a","port":53,"protocol":"TCP"},{"name":"b","port":53,"protocol":"UDP"}]})");
  ASSERT_EQ(allocate(*pool, object), "");
  EXPECT_EQ(node_port(object, 0), node_port(object, 1));
}

TEST(ServiceAllocation, RefusesRangesThatMakeNoSense) {
  const auto refused = [](std::vector<std::string> cidrs, std::uint16_t first, std::uint16_t last) {
    AllocationRanges ranges;
    ranges.service_cidrs = std::move(cidrs);
    ranges.first_node_port = first;
    ranges.last_node_port = last;
    return !ServiceAllocator::create(ranges).has_value();
  };
  EXPECT_TRUE(refused({}, 30000, 32767));
  EXPECT_TRUE(refused({"x"}, 30000, 32767));
  EXPECT_TRUE(refused({"10.0.0.0/31"}, 30000, 32767));
  EXPECT_TRUE(refused({"10.0.0.0/16", "10.1.0.0/16"}, 30000, 32767));
  EXPECT_TRUE(refused({"10.0.0.0/16"}, 32767, 30000));
  EXPECT_FALSE(refused({"10.0.0.0/16", "fd00::/64"}, 30000, 30000));
}

}  // namespace
}  // namespace proxima::apiserver::rules
