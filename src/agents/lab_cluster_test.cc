// SPDX-License-Identifier: Apache-2.0
// The agents against the real API, with machines and programs that only remember what they were
// told. Waiting is for conditions, with a limit.
#include "agents/lab_cluster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <set>

#include "agents/lab_objects.h"
#include "support/embedded_api.h"
#include "support/patience.h"
#include "support/two_zones.h"

namespace proxima::agents {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Machines and programs of a lab that is only imagined. Safe for concurrent use, because the test
// looks while the agent works.
class ImaginedLab final : public LabMachines, public LabPrograms {
 public:
  Result<MachineAddresses> add_node(const std::string& node) override {
    const std::lock_guard lock(mutex_);
    if (!nodes_.insert(node).second) return Error{ErrorCode::InvalidInput, "taken"};
    return addresses("192.168." + std::to_string(++last_) + ".2");
  }
  Status remove_node(const std::string& node) override {
    const std::lock_guard lock(mutex_);
    std::erase_if(pods_, [&](const auto& pod) { return pod.second == node; });
    return nodes_.erase(node) == 1 ? Status(Unit{}) : Error{ErrorCode::NotFound, "no node"};
  }
  Status set_power(const std::string& node, Power power) override {
    const std::lock_guard lock(mutex_);
    power == Power::Off ? void(dark_.insert(node)) : void(dark_.erase(node));
    return Unit{};
  }
  Result<MachineAddresses> add_pod(const std::string& node, const std::string& pod) override {
    const std::lock_guard lock(mutex_);
    if (!nodes_.contains(node)) return Error{ErrorCode::NotFound, "no node"};
    if (!pods_.emplace(pod, node).second) return Error{ErrorCode::InvalidInput, "taken"};
    return addresses("10.180." + std::to_string(++last_) + ".3");
  }
  Status remove_pod(const std::string& pod) override {
    const std::lock_guard lock(mutex_);
    return pods_.erase(pod) == 1 ? Status(Unit{}) : Error{ErrorCode::NotFound, "no Pod"};
  }
  Status start_backend(const PodPlace& place, std::uint16_t port) override {
    const std::lock_guard lock(mutex_);
    if (!pods_.contains(place.pod)) return Error{ErrorCode::NotFound, "no network"};
    if (!backends_.emplace(place.pod, port).second) return Error{ErrorCode::Conflict, "runs"};
    return Unit{};
  }
  void stop_backend(const std::string& pod) override {
    const std::lock_guard lock(mutex_);
    if (backends_.erase(pod) == 1) finished_.insert(pod);
  }
  void cut_backend(const std::string& pod) override {
    const std::lock_guard lock(mutex_);
    backends_.erase(pod);
  }
  Status start_client(const PodPlace& place) override {
    const std::lock_guard lock(mutex_);
    if (!clients_.emplace(place.pod, place.zone).second) return Error{ErrorCode::Conflict, "runs"};
    return Unit{};
  }
  void stop_client(const std::string& pod) override {
    const std::lock_guard lock(mutex_);
    clients_.erase(pod);
  }
  void set_targets(const std::vector<ServiceTarget>& targets) override {
    const std::lock_guard lock(mutex_);
    targets_ = targets;
  }
  void set_demand(double requests_per_second, const std::map<std::string, double>& zones) override {
    const std::lock_guard lock(mutex_);
    rate_ = requests_per_second;
    demand_ = zones;
  }

  // What there is, for the test.
  template <class Look>
  auto look(Look look) const {
    const std::lock_guard lock(mutex_);
    return look(*this);
  }
  bool serves(const std::string& pod) const {
    return look([&](const auto& lab) { return lab.backends_.contains(pod); });
  }

  std::set<std::string> nodes_, dark_, finished_;
  std::map<std::string, std::string> pods_, clients_;
  std::map<std::string, std::uint16_t> backends_;
  std::vector<ServiceTarget> targets_;
  std::map<std::string, double> demand_;
  double rate_ = 0;

 private:
  static MachineAddresses addresses(const std::string& v4) {
    return {*IpAddress::parse(v4), *IpAddress::parse("fd00::" + v4.substr(v4.find('.', 4) + 1, 1))};
  }
  mutable std::mutex mutex_;
  int last_ = 0;
};

kube::ObjectRef pod_ref(const std::string& name, const std::string& ns = "shop") {
  return {kube::kPods, ns, name};
}
kube::ObjectRef node_ref(const std::string& name) { return {kube::kNodes, "", name}; }

class LabClusterTest : public ::testing::Test {
 protected:
  std::unique_ptr<LabCluster> make(LabOptions options = {}) {
    auto made = LabCluster::create(std::move(options), {api_.api(), lab_, lab_, clock_, log_});
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }
  std::unique_ptr<LabCluster> started(LabOptions options = {}) {
    auto lab = make(std::move(options));
    const Status begun = lab->start();
    EXPECT_TRUE(begun) << begun.error().message;
    EXPECT_TRUE(lab->wait_until_ready(clock_.steady_now() + testing::kPatience));
    return lab;
  }
  static bool soon(const std::function<bool()>& is_so) { return testing::eventually(is_so); }
  bool is_ready(const LabCluster& lab, const std::string& pod) {
    const LabStatus status = lab.status();
    return std::any_of(status.pods.begin(), status.pods.end(), [&](const LabPodStatus& one) {
      return one.ns + "/" + one.name == pod && one.ready && !one.terminating;
    });
  }
  static const LabNodeStatus* node(const LabStatus& status, const std::string& name) {
    for (const LabNodeStatus& one : status.nodes)
      if (one.name == name) return &one;
    return nullptr;
  }
  // "web-1@zone-a web-2@zone-b": Pods of shop that are to stay.
  static std::string places(const LabCluster& lab) {
    std::string text;
    for (const LabPodStatus& pod : lab.status().pods)
      if (pod.ns == "shop" && !pod.terminating)
        text += (text.empty() ? "" : " ") + pod.name + "@" + pod.zone;
    return text;
  }

  SystemClock clock_;
  telemetry::Log log_{{}, clock_, [](std::string_view) {}};
  testing::EmbeddedApi api_{clock_, {"172.30.0.0/16", "fd00:172:30::/112"}};
  ImaginedLab lab_;
};

TEST_F(LabClusterTest, BeginsWithItsShapeAndSpreadsPodsOverTheNodesOfTheirZones) {
  const auto lab = started();
  const LabStatus status = lab->status();
  ASSERT_EQ(status.nodes.size(), 6U);
  std::map<std::string, std::size_t> by_node;
  std::map<std::string, std::string> zones;
  for (const LabNodeStatus& one : status.nodes) zones[one.name] = one.zone;
  for (const LabPodStatus& pod : status.pods) {
    EXPECT_EQ(pod.zone, zones[pod.node]) << pod.name;
    if (!pod.client) ++by_node[pod.node];
  }
  EXPECT_EQ(by_node["node-1"], 4U) << "of 2 even, 2 lopsided and 3 single in zone-a";
  EXPECT_EQ(by_node["node-2"], 3U);
  EXPECT_EQ(by_node["node-3"] + by_node["node-4"], 3U);
  EXPECT_EQ(status.pods.size(), 13U + 6U);
  EXPECT_EQ(lab_.look([](const auto& l) { return l.clients_.size(); }), 6U);
  const auto targets = lab_.look([](const auto& l) { return l.targets_; });
  ASSERT_EQ(targets.size(), 3U);
  EXPECT_EQ(targets[0].service, "shop/even");
  EXPECT_NEAR(targets[0].share, 1.0 / 3, 1e-9);
  EXPECT_NE(api_.get(pod_ref("even-1")).find("\"Running\""), std::string::npos);
}

TEST_F(LabClusterTest, GoesOnWithWhatIsThere) {
  started(testing::two_zones())->stop();
  EXPECT_EQ(lab_.look([](const auto& l) { return l.backends_.size() + l.clients_.size(); }), 0U);
  api_.remove(node_ref("node-2"));
  ImaginedLab fresh;
  auto made = LabCluster::create(testing::two_zones(), {api_.api(), fresh, fresh, clock_, log_});
  ASSERT_TRUE(made);
  ASSERT_TRUE((*made)->start());
  EXPECT_TRUE(soon([&] { return fresh.serves("shop/web-1") && is_ready(**made, "shop/web-1"); }));
  EXPECT_EQ((*made)->status().nodes.size(), 1U) << "the shape is only for the beginning";
}

TEST_F(LabClusterTest, MakesAPodOfAUserABackendAndItsServiceATarget) {
  const auto lab = started(testing::two_zones());
  api_.create(kube::kPods, "shop", R"({"metadata":{"name":"mine","labels":{"app":"mine"}},"spec":{
      "nodeSelector":{"topology.kubernetes.io/zone":"zone-b"},
      "containers":[{"name":"c","image":"nginx","ports":[{"name":"www","containerPort":3000}]}]}})");
  EXPECT_TRUE(soon([&] { return is_ready(*lab, "shop/mine"); }));
  EXPECT_EQ(lab_.look([](const auto& l) { return l.pods_.at("shop/mine"); }), "node-2");
  EXPECT_EQ(lab_.look([](const auto& l) { return l.targets_.size(); }), 1U);
  api_.create(kube::kServices, "shop", R"({"metadata":{"name":"mine"},"spec":{
      "selector":{"app":"mine"},"ports":[{"port":81,"targetPort":"www"}]}})");
  EXPECT_TRUE(
      soon([&] { return lab_.look([](const auto& l) { return l.targets_.size(); }) == 2; }));
  EXPECT_TRUE(soon([&] {
    return lab_.look([](const auto& l) {
      return l.backends_.contains("shop/mine") && l.backends_.at("shop/mine") == 3000;
    });
  })) << "it listens where its Service sends to";
  api_.remove({kube::kServices, "shop", "mine"});
  EXPECT_TRUE(
      soon([&] { return lab_.look([](const auto& l) { return l.targets_.size(); }) == 1; }));
}

TEST_F(LabClusterTest, ADeletedPodServesOnAndThenIsGone) {
  const auto lab = started(testing::two_zones());
  const auto before = clock_.steady_now();
  api_.remove(pod_ref("web-1"));
  EXPECT_TRUE(lab_.serves("shop/web-1"));
  EXPECT_TRUE(soon([&] { return api_.get(pod_ref("web-1")).empty(); }));
  EXPECT_GE(clock_.steady_now() - before, milliseconds(1900)) << "proxies had time to hear of it";
  EXPECT_TRUE(lab_.look([](const auto& l) { return l.finished_.contains("shop/web-1"); }))
      << "what was under way was finished";
  EXPECT_TRUE(soon(
      [&] { return lab_.look([](const auto& l) { return !l.pods_.contains("shop/web-1"); }); }));
}

TEST_F(LabClusterTest, APodThatIsTakenByForceVanishesAtOnce) {
  const auto lab = started(testing::two_zones());
  api_.remove(pod_ref("web-1"), 0);
  EXPECT_TRUE(soon([&] { return !lab_.serves("shop/web-1"); }));
  EXPECT_FALSE(lab_.look([](const auto& l) { return l.finished_.contains("shop/web-1"); }))
      << "what was under way was cut off";
}

TEST_F(LabClusterTest, AZoneWithoutPowerIsNoticedAndComesBack) {
  std::mutex mutex;
  std::vector<std::string> told;
  LabOptions options = testing::two_zones();
  options.hooks.node_power = [&](const std::string& name, Power power) {
    const std::lock_guard lock(mutex);
    told.push_back(name + (power == Power::On ? " on" : " off"));
  };
  const auto lab = started(std::move(options));
  ASSERT_TRUE(lab->fail_zone("zone-b"));
  EXPECT_FALSE(lab_.serves("shop/web-2")) << "dead when the action is done";
  EXPECT_TRUE(lab_.look([](const auto& l) { return l.dark_.contains("node-2"); }));
  EXPECT_EQ(lab_.look([](const auto& l) { return l.clients_.size(); }), 1U);
  EXPECT_TRUE(lab->status().zones[1].failed);
  EXPECT_TRUE(soon([&] { return !is_ready(*lab, "shop/web-2"); }));
  EXPECT_TRUE(soon([&] {
    return api_.get(node_ref("node-2")).find("Kubelet stopped posting node status.") !=
           std::string::npos;
  }));
  ASSERT_TRUE(lab->fail_zone("zone-b")) << "once more changes nothing";
  EXPECT_EQ(node(lab->status(), "node-2")->power, Power::Off);

  ASSERT_TRUE(lab->heal({HealTarget::Kind::Zone, "zone-b"}));
  EXPECT_TRUE(soon([&] { return is_ready(*lab, "shop/web-2"); }));
  EXPECT_TRUE(soon([&] { return node(lab->status(), "node-2")->ready; }));
  EXPECT_TRUE(
      soon([&] { return lab_.look([](const auto& l) { return l.clients_.size(); }) == 2; }));
  EXPECT_FALSE(lab->status().zones[1].failed);
  const std::lock_guard lock(mutex);
  EXPECT_EQ(told, (std::vector<std::string>{"node-2 off", "node-2 on"}));
}

TEST_F(LabClusterTest, APodOfALostNodeWaitsForItUnlessItIsForced) {
  const auto lab = started(testing::two_zones());
  ASSERT_TRUE(lab->kill_node("node-2"));
  EXPECT_TRUE(soon([&] { return !is_ready(*lab, "shop/web-2"); }));
  api_.remove(pod_ref("web-2"));
  ASSERT_TRUE(lab->scale("shop/web", {{"zone-a", 2}})) << "gives the agent something to do";
  EXPECT_TRUE(soon([&] { return is_ready(*lab, "shop/web-3"); }));
  EXPECT_FALSE(api_.get(pod_ref("web-2")).empty()) << "nobody is there to end it";
  api_.remove(pod_ref("web-2"), 0);
  EXPECT_TRUE(soon(
      [&] { return lab_.look([](const auto& l) { return !l.pods_.contains("shop/web-2"); }); }));
}

TEST_F(LabClusterTest, ANodeOfAUserJoinsAndADeletedOneLeavesWithItsPods) {
  std::mutex mutex;
  std::string told;
  LabOptions options = testing::two_zones();
  options.hooks.node_added = [&](const std::string& name) {
    const std::lock_guard lock(mutex);
    told += "+" + name + " ";
  };
  options.hooks.node_removed = [&](const std::string& name) {
    const std::lock_guard lock(mutex);
    told += "-" + name + " ";
  };
  const auto lab = started(std::move(options));
  api_.create(kube::kNodes, "", R"({"metadata":{"name":"mine",
      "labels":{"topology.kubernetes.io/zone":"zone-c"}}})");
  EXPECT_TRUE(soon([&] {
    const LabStatus status = lab->status();
    return node(status, "mine") != nullptr && node(status, "mine")->ready;
  }));
  EXPECT_TRUE(soon([&] { return lab_.look([](const auto& l) { return l.demand_.size(); }) == 3; }))
      << "its zone has a share of the demand";
  api_.remove(node_ref("node-2"));
  EXPECT_TRUE(soon([&] { return api_.get(pod_ref("web-2")).empty(); }));
  EXPECT_TRUE(soon([&] { return api_.get(pod_ref("client-node-2", "lab-clients")).empty(); }));
  EXPECT_FALSE(lab_.look([](const auto& l) { return l.nodes_.contains("node-2"); }));
  EXPECT_FALSE(lab_.serves("shop/web-2"));
  const std::lock_guard lock(mutex);
  EXPECT_EQ(told, "+node-1 +node-2 +mine -node-2 ");
}

TEST_F(LabClusterTest, ANewNodeOfAnOldNameHasPower) {
  const auto lab = started(testing::two_zones());
  ASSERT_TRUE(lab->kill_node("node-2"));
  EXPECT_TRUE(soon([&] { return !node(lab->status(), "node-2")->ready; }));
  api_.remove(node_ref("node-2"));
  EXPECT_TRUE(soon([&] { return lab->status().nodes.size() == 1; }));
  EXPECT_TRUE(soon([&] { return lab_.look([](const auto& l) { return l.nodes_.size(); }) == 1; }));
  EXPECT_EQ(lab->add_node("zone-a").value(), "node-2");
  EXPECT_TRUE(soon([&] { return node(lab->status(), "node-2")->ready; }));
  EXPECT_EQ(node(lab->status(), "node-2")->power, Power::On);
}

TEST_F(LabClusterTest, ACordonedNodeGetsNoNewPods) {
  const auto lab = started(testing::two_zones());
  EXPECT_EQ(*lab->add_node("zone-a"), "node-3");
  EXPECT_TRUE(soon([&] {
    const LabStatus status = lab->status();
    return node(status, "node-3") != nullptr && node(status, "node-3")->ready;
  }));
  api_.merge(node_ref("node-3"), R"({"spec":{"unschedulable":true}})");
  EXPECT_TRUE(soon([&] { return node(lab->status(), "node-3")->cordoned; }));
  ASSERT_TRUE(lab->scale("shop/web", {{"zone-a", 3}}));
  EXPECT_TRUE(soon([&] { return is_ready(*lab, "shop/web-3") && is_ready(*lab, "shop/web-4"); }));
  for (const LabPodStatus& pod : lab->status().pods)
    EXPECT_TRUE(pod.client || pod.node != "node-3") << pod.name;
}

TEST_F(LabClusterTest, ScalesUpAndDownByZone) {
  const auto lab = started(testing::two_zones());
  ASSERT_TRUE(lab->scale("shop/web", {{"zone-a", 3}, {"zone-b", 0}}));
  EXPECT_EQ(places(*lab), "web-1@zone-a web-3@zone-a web-4@zone-a");
  ASSERT_TRUE(lab->scale("shop/web", {{"zone-a", 3}})) << "it is so already";
  EXPECT_EQ(places(*lab), "web-1@zone-a web-3@zone-a web-4@zone-a");
  EXPECT_TRUE(soon([&] { return is_ready(*lab, "shop/web-4"); }));
  ASSERT_TRUE(lab->scale("shop/web", {{"zone-a", 1}}));
  EXPECT_EQ(places(*lab), "web-1@zone-a");
  EXPECT_TRUE(lab->wait_until_ready(clock_.steady_now() + testing::kPatience))
      << "though Pods of the beginning are gone";
}

TEST_F(LabClusterTest, AClientAsksNothingBeforeItsProxyIsReady) {
  std::atomic<bool> ready = false;
  LabOptions options = testing::two_zones();
  options.hooks.proxy_ready = [&](const std::string& name) { return name == "node-1" || ready; };
  const auto lab = make(std::move(options));
  ASSERT_TRUE(lab->start());
  EXPECT_TRUE(soon([&] { return is_ready(*lab, "lab-clients/client-node-2"); }));
  EXPECT_TRUE(
      soon([&] { return lab_.look([](const auto& l) { return l.clients_.size(); }) == 1; }));
  EXPECT_FALSE(lab->wait_until_ready(clock_.steady_now() + milliseconds(300)));
  ready = true;
  EXPECT_TRUE(lab->wait_until_ready(clock_.steady_now() + testing::kPatience));
  EXPECT_EQ(lab_.look([](const auto& l) { return l.clients_.size(); }), 2U);
}

TEST_F(LabClusterTest, AClientThatIsDeletedComesBack) {
  const auto lab = started(testing::two_zones());
  const std::string uid = api_.get(pod_ref("client-node-1", "lab-clients"));
  api_.remove(pod_ref("client-node-1", "lab-clients"), 0);
  EXPECT_TRUE(soon([&] {
    const std::string now = api_.get(pod_ref("client-node-1", "lab-clients"));
    return !now.empty() && now != uid && is_ready(*lab, "lab-clients/client-node-1");
  }));
}

TEST_F(LabClusterTest, ChangesDemandAndRate) {
  const auto lab = started(testing::two_zones());
  ASSERT_TRUE(lab->set_demand({{"zone-a", 0.8}}));
  ASSERT_TRUE(lab->set_rate(10));
  const auto demand = lab_.look([](const auto& l) { return l.demand_; });
  EXPECT_NEAR(demand.at("zone-a"), 0.8, 1e-9);
  EXPECT_NEAR(demand.at("zone-b"), 0.2, 1e-9);
  EXPECT_EQ(lab_.look([](const auto& l) { return l.rate_; }), 10);
  EXPECT_NEAR(lab->status().zones[0].demand, 0.8, 1e-9);
  const auto says = [&](const char* node, const char* traffic) {
    return api_.get(node_ref(node))
               .find(R"("proxima.io/traffic":")" + std::string(traffic) + '"') != std::string::npos;
  };
  EXPECT_TRUE(soon([&] { return says("node-1", "80") && says("node-2", "20"); }))
      << "plans are made for it";
}

TEST_F(LabClusterTest, WritesPoliciesAsAnnotations) {
  const auto lab = started(testing::two_zones());
  const kube::ObjectRef service{kube::kServices, "shop", "web"};
  ASSERT_TRUE(lab->set_policy("shop/web", "balanced", 0.2));
  EXPECT_NE(api_.get(service).find(R"("proxima.io/overload":"0.2")"), std::string::npos);
  ASSERT_TRUE(lab->set_policy("shop/web", std::nullopt, std::nullopt));
  EXPECT_EQ(api_.get(service).find("proxima.io"), std::string::npos);
}

TEST_F(LabClusterTest, RefusesWhatCannotBeAndSaysWhatThereIs) {
  const auto lab = started(testing::two_zones());
  const auto refused = [](const Status& status) {
    return status ? std::string("done") : status.error().message;
  };
  EXPECT_EQ(lab->add_node("zone-x").error().message,
            "add-node: no zone \"zone-x\"; there are zone-a, zone-b");
  EXPECT_EQ(refused(lab->fail_zone("x")), "fail-zone: no zone \"x\"; there are zone-a, zone-b");
  EXPECT_EQ(refused(lab->kill_node("x")), "kill-node: no node \"x\"; there are node-1, node-2");
  EXPECT_EQ(refused(lab->heal({HealTarget::Kind::Node, "x"})),
            "heal: no node \"x\"; there are node-1, node-2");
  EXPECT_EQ(refused(lab->heal({HealTarget::Kind::Zone, "x"})),
            "heal: no zone \"x\"; there are zone-a, zone-b");
  EXPECT_EQ(refused(lab->scale("web", {{"zone-a", 1}})),
            "scale: no Service \"web\"; there are shop/web");
  EXPECT_EQ(refused(lab->scale("shop/web", {{"zone-x", 1}})),
            "scale shop/web: zones: no zone \"zone-x\"; there are zone-a, zone-b");
  EXPECT_EQ(refused(lab->scale("shop/web", {{"zone-a", 51}})),
            "scale shop/web: zone-a: 50 Pods at most");
  EXPECT_EQ(refused(lab->scale("default/kubernetes", {{"zone-a", 1}})),
            "scale default/kubernetes: it selects no Pods");
  EXPECT_EQ(refused(lab->set_demand({{"x", 1}})), "lab: no zone \"x\"; there are zone-a, zone-b");
  EXPECT_EQ(refused(lab->set_rate(-1)), "rate: from 0 to 5000 requests per second");
  EXPECT_EQ(refused(lab->set_policy("shop/web", "best", std::nullopt)).substr(0, 30),
            "policy: no policy \"best\"; ther");
  EXPECT_EQ(refused(lab->set_policy("shop/web", "balanced", -1)),
            "policy: overload: a number that is 0 or more");
  EXPECT_EQ(refused(lab->heal({})), "done") << "nothing is broken";
}

TEST_F(LabClusterTest, RefusesAShapeThatCannotBe) {
  LabOptions options;
  options.shape.zones.clear();
  const auto made = LabCluster::create(std::move(options), {api_.api(), lab_, lab_, clock_, log_});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "lab: zones: there must be one at least");
}

TEST_F(LabClusterTest, StopsInTheMiddleOfAnything) {
  for (int i = 0; i < 5; ++i) {
    const auto lab = make(testing::two_zones());
    ASSERT_TRUE(lab->start());
    const bool waits = i % 2 == 1;
    EXPECT_TRUE(!waits || lab->wait_until_ready(clock_.steady_now() + testing::kPatience));
    lab->stop();
    EXPECT_EQ(lab->heal({}).error().message, "the lab is ending");
    EXPECT_EQ(lab_.look([](const auto& l) { return l.backends_.size() + l.clients_.size(); }), 0U);
    lab_.nodes_.clear();
    lab_.pods_.clear();
  }
}

}  // namespace
}  // namespace proxima::agents
