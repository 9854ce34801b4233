// SPDX-License-Identifier: Apache-2.0
#include "proxy/node_proxy.h"

#include <gtest/gtest.h>

#include <set>

#include "support/fake_cluster_api.h"
#include "support/patience.h"
#include "support/recording_data_plane.h"

namespace proxima::proxy {
namespace {

using std::chrono::milliseconds;
using testing::eventually;

std::string node_json(const std::string& zone, int version, const std::string& spec = "{}") {
  return R"({"metadata":{"name":"n1","uid":"n","resourceVersion":")" + std::to_string(version) +
         R"(","labels":{"topology.kubernetes.io/zone":")" + zone + R"("}},"spec":)" + spec +
         R"(,"status":{"addresses":[{"type":"InternalIP","address":"192.168.0.2"}]}})";
}

std::string service(const std::string& name, const std::string& address, int version) {
  return R"({"metadata":{"namespace":"shop","name":")" + name +
         R"(","uid":"s","resourceVersion":")" + std::to_string(version) +
         R"("},"spec":{"type":"ClusterIP","clusterIP":")" + address + R"(","clusterIPs":[")" +
         address +
         R"("],"ipFamilies":["IPv4"],"ports":[{"name":"http","port":80,"protocol":"TCP"}]}})";
}

// Two endpoints, in zones a and b, with hints for their zones.
std::string slice(int version, const std::string& first = "10.1.0.1",
                  const std::string& second = "10.1.0.2") {
  return R"({"metadata":{"namespace":"shop","name":"web-1","uid":"e","resourceVersion":")" +
         std::to_string(version) +
         R"(","labels":{"kubernetes.io/service-name":"web"}},"addressType":"IPv4",
            "ports":[{"name":"http","port":8080,"protocol":"TCP"}],"endpoints":[
            {"addresses":[")" +
         first + R"("],"zone":"a","hints":{"forZones":[{"name":"a"}]}},
            {"addresses":[")" +
         second + R"("],"zone":"b","hints":{"forZones":[{"name":"b"}]}}]})";
}

// Keeps lists of some kinds back until they are let go.
class HeldApi final : public kube::KubeApi {
 public:
  explicit HeldApi(kube::KubeApi& api) : api_(api) {}
  void hold(const std::string& plural) { held_.insert(plural); }
  void let_go() {
    const std::lock_guard guard(mutex_);
    held_.clear();
    changed_.notify_all();
  }

  Result<kube::ApiResponse> send(const kube::ApiRequest& request,
                                 const net::Cancellation& cancellation) override {
    return api_.send(request, cancellation);
  }
  Result<std::unique_ptr<net::HttpStream>> open(const kube::ApiRequest& request,
                                                std::chrono::milliseconds idle,
                                                const net::Cancellation& cancellation) override {
    const std::string plural = request.path.substr(request.path.rfind('/') + 1);
    const net::Cancellation::Attachment wake(cancellation, [this] {
      const std::lock_guard guard(mutex_);
      changed_.notify_all();
    });
    {
      std::unique_lock lock(mutex_);
      asked_.insert(plural);
      changed_.notify_all();
      changed_.wait(lock, [&] { return cancellation.cancelled() || !held_.contains(plural); });
    }
    if (cancellation.cancelled()) return Error{ErrorCode::Retry, "cancelled"};
    return api_.open(request, idle, cancellation);
  }
  bool wait_until_asked(const std::string& plural) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, testing::kPatience, [&] { return asked_.contains(plural); });
  }

 private:
  kube::KubeApi& api_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::string> held_;
  std::set<std::string> asked_;
};

class NodeProxyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    cluster_.put("nodes", node_json("a", 2));
    cluster_.put("services", service("web", "10.96.0.1", 3));
    cluster_.put("endpointslices", slice(4));
    cluster_.put("servicecidrs", R"({"metadata":{"name":"kubernetes","resourceVersion":"2"},
                                     "spec":{"cidrs":["10.96.0.0/16"]}})");
    options_.node_name = "n1";
    options_.config = default_proxy_config();
    options_.config.min_sync_period = milliseconds(0);
    options_.config.sync_period = std::chrono::seconds(30);
  }
  NodeProxy& start() {
    NodeProxyPorts ports{.api = api_,
                         .clock = clock_,
                         .metrics = registry_,
                         .log = log_,
                         .planes = planes_,
                         .local_addresses =
                             [this] {
                               auto all = local();
                               if (has_more_addresses_)
                                 all->push_back(*IpAddress::parse("192.168.0.3"));
                               return all;
                             },
                         .tell =
                             [this](const News& news) {
                               const std::lock_guard guard(mutex_);
                               told_.push_back(news);
                             },
                         .on_active = [this] { ++activations_; },
                         .on_routed =
                             [this](kube::Version version, const std::vector<std::string>&) {
                               const std::lock_guard guard(mutex_);
                               routed_.push_back(version);
                             },
                         .on_hopeless =
                             [this](const std::string& why) {
                               const std::lock_guard guard(mutex_);
                               hopeless_ = why;
                             }};
    proxy_ = NodeProxy::create(options_, std::move(ports));
    proxy_->start();
    return *proxy_;
  }
  static Result<std::vector<IpAddress>> local() {
    return std::vector{*IpAddress::parse("127.0.0.1"), *IpAddress::parse("192.168.0.2")};
  }
  std::vector<kube::Version> routed() const {
    const std::lock_guard guard(mutex_);
    return routed_;
  }
  std::vector<News> told() const {
    const std::lock_guard guard(mutex_);
    return told_;
  }
  std::string hopeless() const {
    const std::lock_guard guard(mutex_);
    return hopeless_;
  }
  // Of cluster-wide traffic to web.
  std::string backends() const {
    std::string out;
    for (const auto& routes : plane_.table().ports_of(Text("shop"), Text("web")))
      for (const Backend& backend : routes->cluster)
        out += (out.empty() ? "" : " ") + backend.at.address.text();
    return out;
  }

  SystemClock clock_;
  telemetry::Log log_{{}, clock_, [](std::string_view) {}};
  telemetry::MetricsRegistry registry_;
  testing::FakeClusterApi cluster_;
  HeldApi api_{cluster_};
  test::RecordingDataPlane plane_;
  test::RecordingDataPlane plane6_;
  std::vector<FamilyPlane> planes_ = {{IpFamily::V4, plane_}};
  mutable std::mutex mutex_;
  std::string hopeless_;
  std::vector<kube::Version> routed_;
  std::vector<News> told_;
  NodeProxyOptions options_;
  std::atomic<int> activations_ = 0;
  std::atomic<bool> has_more_addresses_ = false;
  std::unique_ptr<NodeProxy> proxy_;  // ends first
};

TEST_F(NodeProxyTest, WritesNothingBeforeServicesAndSlicesAreBothListed) {
  for (const char* held : {"services", "endpointslices"}) {
    SCOPED_TRACE(held);
    telemetry::MetricsRegistry registry;
    HeldApi api(cluster_);
    test::RecordingDataPlane plane;
    api.hold(held);
    const auto proxy = NodeProxy::create(options_, {.api = api,
                                                    .clock = clock_,
                                                    .metrics = registry,
                                                    .log = log_,
                                                    .planes = {{IpFamily::V4, plane}},
                                                    .local_addresses = [] { return local(); },
                                                    .tell = [](const News&) {},
                                                    .on_active = {},
                                                    .on_hopeless = {}});
    proxy->start();
    ASSERT_TRUE(api.wait_until_asked(held));
    ASSERT_TRUE(eventually([&] { return proxy->status().waiting_for == held; }));
    EXPECT_EQ(plane.take_calls(), "");
    EXPECT_EQ(proxy->debug_routes({}).error().code, ErrorCode::Retry);
    api.let_go();
    EXPECT_TRUE(plane.wait_for_calls("adopt"));
  }
}

TEST_F(NodeProxyTest, AdoptsOnceWithTheNodesZoneAndTheServiceRanges) {
  start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt")) << plane_.take_calls();
  EXPECT_EQ(backends(), "10.1.0.1") << "hints of the node's zone are followed from the first write";
  const RoutingRules rules = plane_.table().rules;
  ASSERT_EQ(rules.service_ranges.size(), 1U);
  EXPECT_EQ(rules.service_ranges[0].text(), "10.96.0.0/16");
  EXPECT_TRUE(rules.node_ports.restricted);
  EXPECT_EQ(rules.node_ports.addresses, std::vector{*IpAddress::parse("192.168.0.2")});
  EXPECT_TRUE(eventually([&] { return activations_ == 1; }));
}

TEST_F(NodeProxyTest, ANamedOneLeavesAddressesOfTheServiceRangeToOthers) {
  options_.proxy_name = "mine";
  start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt")) << plane_.take_calls();
  EXPECT_TRUE(plane_.table().rules.service_ranges.empty());
}

TEST_F(NodeProxyTest, AChangeOfOneSliceIsOneWrite) {
  start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt"));
  cluster_.put("endpointslices", slice(5, "10.1.0.3"), "MODIFIED");
  ASSERT_TRUE(plane_.wait_for_calls("apply shop/web:http/TCP")) << plane_.take_calls();
  EXPECT_EQ(backends(), "10.1.0.3");
}

TEST_F(NodeProxyTest, SaysHowFarTheKernelFollowsTheSlices) {
  start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt"));
  ASSERT_TRUE(eventually([&] { return routed() == std::vector<kube::Version>{4}; }));
  plane_.fail_once();
  cluster_.put("endpointslices", slice(6, "10.1.0.3"), "MODIFIED");
  ASSERT_TRUE(eventually([&] { return routed() == std::vector<kube::Version>{4, 6}; }));
  EXPECT_EQ(plane_.take_calls(), "apply shop/web:http/TCP (failed); adopt");
}

TEST_F(NodeProxyTest, AChangeThatDoesNotConcernThisNodeWritesNothing) {
  start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt"));
  cluster_.put("endpointslices", slice(5, "10.1.0.1", "10.1.0.4"), "MODIFIED");
  cluster_.put("services", service("other", "10.96.0.2", 6));
  ASSERT_TRUE(plane_.wait_for_calls("apply shop/other:http/TCP")) << plane_.take_calls();
  EXPECT_EQ(backends(), "10.1.0.1");
}

TEST_F(NodeProxyTest, AnotherZoneOfTheNodePlansAnew) {
  start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt"));
  cluster_.put("nodes", node_json("b", 7), "MODIFIED");
  ASSERT_TRUE(plane_.wait_for_calls("apply shop/web:http/TCP")) << plane_.take_calls();
  EXPECT_EQ(backends(), "10.1.0.2");
}

TEST_F(NodeProxyTest, AnotherServiceRangeIsWrittenAtOnce) {
  start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt"));
  cluster_.put("servicecidrs", R"({"metadata":{"name":"more","resourceVersion":"8"},
                                   "spec":{"cidrs":["10.97.0.0/16"]}})");
  ASSERT_TRUE(eventually([&] { return plane_.table().rules.service_ranges.size() == 2; }));
}

TEST_F(NodeProxyTest, WaitsForThePodRangeWhereItIsNeededAndFollowsIt) {
  options_.config.detect_local_mode = "NodeCIDR";
  NodeProxy& proxy = start();
  ASSERT_TRUE(eventually([&] { return proxy.status().waiting_for.empty(); }));
  ASSERT_TRUE(eventually([&] { return proxy.healthz().status == 200; })) << "the Node is known";
  EXPECT_EQ(plane_.take_calls(), "");
  cluster_.put("nodes", node_json("a", 5, R"({"podCIDRs":["10.244.1.0/24"]})"), "MODIFIED");
  ASSERT_TRUE(plane_.wait_for_calls("adopt"));
  EXPECT_EQ(plane_.table().rules.detector->range.text(), "10.244.1.0/24");
  cluster_.put("nodes", node_json("a", 6, R"({"podCIDRs":["10.244.2.0/24"]})"), "MODIFIED");
  EXPECT_TRUE(
      eventually([&] { return plane_.table().rules.detector->range.text() == "10.244.2.0/24"; }));
}

TEST_F(NodeProxyTest, NodePortsFollowTheAddressesOfTheHost) {
  options_.config.node_port_addresses = {"192.168.0.0/16"};
  options_.config.sync_period = milliseconds(10);
  start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt"));
  EXPECT_EQ(plane_.table().rules.node_ports.addresses.size(), 1U);
  has_more_addresses_ = true;
  EXPECT_TRUE(eventually([&] { return plane_.table().rules.node_ports.addresses.size() == 2; }));
}

// A Service that names an address of the node as external, for the node's own port of SSH.
std::string greedy_service(int version) {
  std::string json = service("greedy", "10.96.0.7", version);
  json.insert(json.find("\"ports\""), R"("externalIPs":["192.168.0.3"],)");
  return json.replace(json.find("80"), 2, "22");
}

TEST_F(NodeProxyTest, APortOfTheNodeIsGivenBackAsSoonAsTheAddressIsTheNodes) {
  options_.config.sync_period = milliseconds(10);
  cluster_.put("services", greedy_service(5));
  start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt"));
  const Frontend ssh{.address = *IpAddress::parse("192.168.0.3"), .port = 22};
  EXPECT_TRUE(plane_.table().in_force(ssh)) << "nobody's address yet";
  has_more_addresses_ = true;
  ASSERT_TRUE(eventually([&] { return !plane_.table().in_force(ssh); }));
  ASSERT_TRUE(eventually([&] { return told().size() == 1; }));
  EXPECT_EQ(told()[0].about.name, "greedy");
  EXPECT_EQ(told()[0].reason, "ExternalIPOfNode");
  EXPECT_NE(told()[0].message.find("node n1: spec.externalIPs: 192.168.0.3 is an address of this"),
            std::string::npos)
      << told()[0].message;
}

TEST_F(NodeProxyTest, AddressesOfTheNodeAreRoutedWhereThatIsAskedFor) {
  options_.allows_node_external_ips = true;
  has_more_addresses_ = true;
  cluster_.put("services", greedy_service(5));
  start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt"));
  EXPECT_TRUE(plane_.table().in_force({.address = *IpAddress::parse("192.168.0.3"), .port = 22}));
  EXPECT_TRUE(told().empty());
}

TEST_F(NodeProxyTest, AWriteThatFailedIsMadeUpForByATakeOver) {
  options_.config.sync_period = milliseconds(20);
  start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt"));
  plane_.fail_once();
  cluster_.put("services", service("other", "10.96.0.2", 6));
  ASSERT_TRUE(plane_.wait_for_calls("apply shop/other:http/TCP (failed); adopt"))
      << plane_.take_calls();
  EXPECT_EQ(activations_, 1) << "it had been active before";
}

TEST_F(NodeProxyTest, GoesOnWithTheFamilyThatTheKernelCanHold) {
  plane6_.set_lacking(true);
  planes_.push_back({IpFamily::V6, plane6_});
  NodeProxy& proxy = start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt"));
  EXPECT_TRUE(eventually([&] { return proxy.status().active; }));
  EXPECT_TRUE(eventually([&] { return proxy.healthz().status == 200; }));
  cluster_.put("endpointslices", slice(5, "10.1.0.3"), "MODIFIED");
  ASSERT_TRUE(plane_.wait_for_calls("apply shop/web:http/TCP")) << plane_.take_calls();
  EXPECT_EQ(plane6_.take_calls(), "adopt (unsupported)") << "it is not tried with every change";
  EXPECT_EQ(activations_, 1);
}

TEST_F(NodeProxyTest, TriesAFamilyAgainThatTheKernelCouldNotHold) {
  options_.check_period = milliseconds(20);
  plane6_.set_lacking(true);
  planes_.push_back({IpFamily::V6, plane6_});
  start();
  ASSERT_TRUE(eventually([&] { return activations_ == 1; }));
  plane6_.set_lacking(false);
  EXPECT_TRUE(eventually([&] {
    return registry_.render().find(
               "kubeproxy_sync_proxy_rules_last_timestamp_seconds{ip_family=\"IPv6\"}") !=
           std::string::npos;
  }));
}

TEST_F(NodeProxyTest, GivesUpWhereTheKernelCanHoldNoFamily) {
  plane_.set_lacking(true);
  plane6_.set_lacking(true);
  planes_.push_back({IpFamily::V6, plane6_});
  start();
  ASSERT_TRUE(eventually([&] { return !hopeless().empty(); }));
  EXPECT_EQ(hopeless(),
            "this kernel can hold routes of no family; IPv4: no such chain type; IPv6: no such "
            "chain type");
  EXPECT_EQ(activations_, 0);
}

TEST_F(NodeProxyTest, LooksAtEverythingNowAndThen) {
  options_.check_period = milliseconds(20);
  start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt; repair; repair")) << plane_.take_calls();
}

TEST_F(NodeProxyTest, IsNotHealthyWhileWritesFailForTooLong) {
  options_.config.sync_period = milliseconds(10);
  NodeProxy& proxy = start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt"));
  EXPECT_TRUE(eventually([&] { return proxy.healthz().status == 200; }));
  plane_.set_failing(true);
  cluster_.put("services", service("other", "10.96.0.2", 6));
  EXPECT_TRUE(eventually([&] { return proxy.healthz().status == 503; }));
  EXPECT_EQ(proxy.livez().status, 503);
  plane_.set_failing(false);
  EXPECT_TRUE(eventually([&] { return proxy.livez().status == 200; }));
  EXPECT_NE(registry_.render().find("kubeproxy_proxy_healthz_total{code=\"503\"}"),
            std::string::npos);
}

TEST_F(NodeProxyTest, ANodeThatIsAboutToGoIsLiveButNotHealthy) {
  NodeProxy& proxy = start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt"));
  cluster_.put("nodes",
               node_json("a", 9, R"({"taints":[{"key":"ToBeDeletedByClusterAutoscaler"}]})"),
               "MODIFIED");
  EXPECT_TRUE(eventually([&] { return proxy.healthz().status == 503; }));
  EXPECT_EQ(proxy.livez().status, 200);
  EXPECT_EQ(plane_.take_calls(), "") << "routes do not depend on it";
}

TEST_F(NodeProxyTest, ShowsRoutesWithReasons) {
  NodeProxy& proxy = start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt"));
  ASSERT_TRUE(eventually([&] { return proxy.status().active; }));
  const std::string routes = *proxy.debug_routes({.ns = "shop", .service = "web"});
  EXPECT_NE(routes.find("\"family\":\"IPv4\""), std::string::npos);
  EXPECT_NE(routes.find("\"service\":\"web\""), std::string::npos) << routes;
  EXPECT_NE(routes.find("\"reason\""), std::string::npos) << routes;
  EXPECT_EQ(proxy.debug_routes({.ns = "shop", .service = "none"})->find("\"service\""),
            std::string::npos);
}

TEST_F(NodeProxyTest, LeavesTheRulesWhenItStops) {
  NodeProxy& proxy = start();
  ASSERT_TRUE(plane_.wait_for_calls("adopt"));
  proxy.stop();
  EXPECT_EQ(plane_.take_calls(), "");
  EXPECT_EQ(backends(), "10.1.0.1");
}

TEST_F(NodeProxyTest, StopsInTheMiddleOfAnything) {
  start();
  proxy_->stop();
  EXPECT_LE(proxy_->status().rounds, 1U);
}

}  // namespace
}  // namespace proxima::proxy
