// SPDX-License-Identifier: Apache-2.0
#include "agents/service_targets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "kube/cache.h"
#include "support/kube_records.h"

namespace proxima::agents {
namespace {

class ServiceTargetsTest : public ::testing::Test {
 protected:
  // A Service of "app=NAME" with one TCP port.
  Ref<kube::ServiceRecord> service(const std::string& key) {
    auto record = maker_.service(key, "app=" + key.substr(key.find('/') + 1));
    record->cluster_ips = {*IpAddress::parse("172.30.0.5"), *IpAddress::parse("fd00::5")};
    kube::ServicePortRecord port;
    port.port = 80;
    port.target_port = 8080;
    record->ports = {port};
    services_.put(record);
    return record;
  }
  Ref<kube::PodRecord> pod(const std::string& key, const std::string& app, bool ready) {
    auto record = maker_.pod(key, "app=" + app);
    record->ready = ready;
    pods_.put(record);
    return record;
  }
  std::string targets(const std::set<std::string>& present = {},
                      const std::map<std::string, double>& parts = {}) {
    std::string text;
    for (const auto& one : service_targets(services_.snapshot(), pods_.snapshot(), present, parts))
      text += one.service + " " + one.address.text() + ":" + std::to_string(one.port) + " " +
              std::to_string(std::lround(one.share * 100)) + "%; ";
    return text;
  }

  testing::RecordMaker maker_;
  kube::Cache<kube::PodRecord> pods_;
  kube::Cache<kube::ServiceRecord> services_;
};

TEST_F(ServiceTargetsTest, GiveEveryServiceAnEvenShareUnlessToldOtherwise) {
  service("shop/a");
  service("shop/b");
  pod("shop/a-1", "a", true);
  pod("shop/b-1", "b", true);
  EXPECT_EQ(targets(), "shop/a 172.30.0.5:80 50%; shop/b 172.30.0.5:80 50%; ");
  EXPECT_EQ(targets({}, {{"shop/a", 3}}), "shop/a 172.30.0.5:80 75%; shop/b 172.30.0.5:80 25%; ");
  EXPECT_EQ(targets({}, {{"shop/a", 0}, {"shop/b", 0}}),
            "shop/a 172.30.0.5:80 0%; shop/b 172.30.0.5:80 0%; ");
}

struct LeftOutService {
  const char* name;
  std::function<void(kube::ServiceRecord&)> change;
};

const LeftOutService kLeftOut[] = {
    {"headless", [](auto& s) { s.headless = true; }},
    {"of another name", [](auto& s) { s.type = model::ServiceType::ExternalName; }},
    {"of the system", [](auto& s) { s.meta.ns = Text("kube-system"); }},
    {"without a selector", [](auto& s) { s.selector = {}; }},
    {"without an address", [](auto& s) { s.cluster_ips.clear(); }},
    {"of UDP", [](auto& s) { s.ports[0].protocol = kube::Protocol::Udp; }},
    {"that goes", [](auto& s) { s.meta.terminating = true; }},
};

TEST_F(ServiceTargetsTest, LeaveOutWhatNoClientCanAsk) {
  for (const LeftOutService& row : kLeftOut) {
    pod("shop/a-1", "a", true);
    pod("kube-system/a-1", "a", true);
    const auto record = service("shop/a");
    row.change(*record);
    if (record->meta.ns.view() != "shop") services_.erase({"shop", "a"});
    services_.put(record);
    EXPECT_EQ(targets(), "") << row.name;
    services_.erase(record->key());
  }
}

TEST_F(ServiceTargetsTest, JoinWithTheFirstReadyPodAndLeaveWithTheLast) {
  service("shop/a");
  EXPECT_EQ(targets(), "") << "there is nobody who could answer";
  pod("shop/a-1", "a", false);
  EXPECT_EQ(targets(), "") << "nor now";
  EXPECT_NE(targets({"shop/a"}), "") << "an outage is not hidden";
  pod("shop/a-1", "a", true);
  EXPECT_NE(targets(), "");
  pod("shop/a-1", "a", true)->terminating = true;
  EXPECT_EQ(targets({"shop/a"}), "") << "nobody offers it any more";
}

TEST_F(ServiceTargetsTest, PodsListenWhereServicesSendTo) {
  const auto one = pod("shop/a-1", "a", true);
  auto workload = make_ref<kube::PodWorkload>();
  workload->ports = {{.name = Text("web"), .protocol = kube::Protocol::Tcp, .port = 3000}};
  one->workload = workload;
  const auto port = [&](std::uint16_t present) {
    return backend_port(*one, services_.snapshot(), present);
  };
  EXPECT_EQ(port(0), 8080) << "nobody asks for another";
  EXPECT_EQ(port(9999), 9999) << "nobody asks for another";
  const auto record = service("shop/a");
  record->ports[0].target_port = 9000;
  EXPECT_EQ(port(0), 9000);
  EXPECT_EQ(port(8080), 9000) << "nobody wants the old one";
  record->ports[0].target_name = Text("web");
  EXPECT_EQ(port(0), 3000) << "a name of the Pod's own";
  record->ports.push_back(record->ports[0]);
  record->ports[1].target_name = {};
  EXPECT_EQ(port(9000), 9000) << "it is still wanted";
  record->ports[0].target_name = Text("nobody");
  record->ports.pop_back();
  EXPECT_EQ(port(0), 8080) << "the name says nothing";
}

}  // namespace
}  // namespace proxima::agents
