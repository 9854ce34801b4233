// SPDX-License-Identifier: Apache-2.0
#include "controller/sync_term.h"

#include <gtest/gtest.h>

#include "support/fake_clock.h"
#include "support/fake_slice_api.h"
#include "support/kube_records.h"

namespace proxima::controller {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* kZone = "topology.kubernetes.io/zone";

// The whole from caches to writes, without threads: the test says when time passes and when a
// watch shows what was written.
class SyncTermTest : public ::testing::Test {
 protected:
  explicit SyncTermTest(plan::PlanOptions plan = {}) : planner_(std::move(plan)) {}

  void begin() {
    parts_.emplace(TermParts{api_, clock_, log_, *intake_, planner_, caches_, *sync_, book_,
                             metrics_, queue_metrics_, options_});
    term_.emplace(*parts_, std::nullopt);
    term_->begin();
  }
  void make(kube::Duration batch = {}) {
    intake_.emplace(caches_, tracker_, batch);
    sync_.emplace(SyncParts{caches_, *intake_, planner_, tracker_, trigger_times_, book_, honored_,
                            metrics_, clock_, log_},
                  options_.max_endpoints_per_slice);
  }
  void SetUp() override {
    options_.write_spacing = {};  // one change after the other, in no time
    add_node("n1", "a");
    make();
  }
  void TearDown() override {
    term_.reset();
    intake_.reset();
  }

  void add_node(std::string_view name, const std::string& zone) {
    caches_.nodes.put(make_.node(name, std::string(kZone) + "=" + zone));
  }
  Ref<kube::ServiceRecord> service(std::string_view key, const std::string& selector) {
    auto made = make_.service(key, selector);
    made->has_v4 = true;
    made->ip_families = {IpFamily::V4};
    made->cluster_ips = {*IpAddress::parse("10.96.0.1")};
    made->meta.created = 1'772'000'000;
    kube::ServicePortRecord port;
    port.name = Text("");
    port.port = 80;
    port.target_port = 8080;
    made->ports = {port};
    return made;
  }
  void add_service(std::string_view key, const std::string& selector) {
    caches_.services.put(service(key, selector));
  }
  Ref<kube::PodRecord> pod(const std::string& key, const std::string& address) {
    auto made = make_.pod(key, "app=web");
    made->node = Text("n1");
    made->ready_changed = 1'772'000'100;
    made->addresses.add(*IpAddress::parse(address));
    return made;
  }
  void add_pod(const std::string& key, const std::string& address) {
    caches_.pods.put(pod(key, address));
  }
  // Everything that wants work now; the watch is as fast as the writes.
  std::string settle() {
    for (int i = 0; i < 100 && (term_->work_once() || again_); ++i) {
      again_ = false;
      api_.deliver();
    }
    return api_.take_writes();
  }
  // Works, and the watch shows nothing.
  std::string work() {
    for (int i = 0; i < 100 && term_->work_once(); ++i) {
    }
    return api_.take_writes();
  }
  std::string metric(const std::string& line) {
    const std::string text = registry_.render();
    const auto found = text.find("\n" + line + " ");
    if (found == std::string::npos) return "none";
    const auto begin = found + line.size() + 2;
    return text.substr(begin, text.find('\n', begin) - begin);
  }

  bool again_ = false;
  testing::FakeClock clock_;
  testing::RecordMaker make_;
  telemetry::MetricsRegistry registry_;
  telemetry::Log log_{{}, clock_, [this](std::string_view line) { logged_ += line; }};
  std::string logged_;
  ControllerOptions options_;
  ClusterCaches caches_;
  testing::FakeSliceApi api_{caches_.slices};
  SliceTracker tracker_;
  TriggerTimes trigger_times_;
  LockedPlanner planner_;
  DecisionBook book_;
  FollowBook follow_{clock_.steady_now()};
  HonoredConditions honored_{follow_};
  ControllerMetrics metrics_{registry_};
  WorkQueueMetrics queue_metrics_{registry_, "endpoint_slice"};
  std::optional<WorkIntake> intake_;
  std::optional<ServiceSync> sync_;
  std::optional<TermParts> parts_;
  std::optional<SyncTerm> term_;
};

TEST_F(SyncTermTest, WritesASliceForAServiceAndNothingTheSecondTime) {
  add_service("shop/web", "app=web");
  add_pod("shop/web-a", "10.0.0.1");
  begin();
  EXPECT_EQ(settle(), "create web-1 10.0.0.1");
  add_service("shop/web", "app=web");
  EXPECT_EQ(settle(), "") << "a change of nothing";
  EXPECT_EQ(metric("endpoint_slice_controller_changes{operation=\"create\"}"), "1");
  EXPECT_EQ(metric("endpoint_slice_controller_syncs{result=\"success\"}"), "2");
  const auto& annotations = api_.slices.at("shop/web-1").at("metadata").at("annotations");
  EXPECT_EQ(annotations.at("endpoints.kubernetes.io/last-change-trigger-time").as_string(),
            "2026-02-25T06:13:20Z");
}

TEST_F(SyncTermTest, KeepsAPlaceForAServiceWithoutPods) {
  add_service("shop/web", "app=web");
  begin();
  EXPECT_EQ(settle(), "create web-1");
}

TEST_F(SyncTermTest, LeavesServicesAloneThatHaveNoSelectorOrAreExternal) {
  add_service("shop/none", "-");
  auto external = service("shop/external", "app=web");
  external->type = model::ServiceType::ExternalName;
  caches_.services.put(external);
  begin();
  EXPECT_EQ(settle(), "");
}

TEST_F(SyncTermTest, FollowsPodsAsTheyComeAndGo) {
  add_service("shop/web", "app=web");
  begin();
  settle();
  add_pod("shop/web-a", "10.0.0.1");
  EXPECT_EQ(settle(), "update web-1 10.0.0.1");
  add_pod("shop/web-b", "10.0.0.2");
  EXPECT_EQ(settle(), "update web-1 10.0.0.1 10.0.0.2");
  caches_.pods.erase({"shop", "web-a"});
  EXPECT_EQ(settle(), "update web-1 10.0.0.2");
}

TEST_F(SyncTermTest, WaitsForItsOwnWritesToComeBackBeforeItWritesMore) {
  add_service("shop/web", "app=web");
  add_pod("shop/web-a", "10.0.0.1");
  begin();
  EXPECT_EQ(work(), "create web-1 10.0.0.1");
  add_pod("shop/web-b", "10.0.0.2");
  EXPECT_EQ(work(), "") << "the cache does not show the first";
  EXPECT_EQ(metric("endpoint_slice_controller_syncs{result=\"stale\"}"), "1");
  api_.deliver();
  EXPECT_EQ(work(), "update web-1 10.0.0.1 10.0.0.2") << "at once, when it does";
  EXPECT_TRUE(api_.events.empty());
}

TEST_F(SyncTermTest, StopsWaitingForAWriteThatNeverComesBack) {
  add_service("shop/web", "app=web");
  begin();
  settle();
  tracker_.wrote("shop/web", "never", 1);
  std::string written;
  add_pod("shop/web-a", "10.0.0.1");
  for (int i = 0; i < 40 && written.empty(); ++i) {
    written = work();
    clock_.advance(seconds(100));
  }
  EXPECT_EQ(written, "update web-1 10.0.0.1");
}

TEST_F(SyncTermTest, DoesNotWaitForWritesOfAServiceThatHadTheName) {
  add_service("shop/web", "app=web");
  begin();
  settle();
  tracker_.wrote("shop/web", "gone unseen", 1);
  auto successor = service("shop/web", "app=web");
  successor->meta.uid = Text("another");
  caches_.services.put(successor);
  add_pod("shop/web-a", "10.0.0.1");
  EXPECT_NE(work(), "") << "a quarter of an hour without endpoints";
}

TEST_F(SyncTermTest, WaitsForItsOwnWritesHoweverOftenPodsChange) {
  add_service("shop/web", "app=web");
  add_pod("shop/web-a", "10.0.0.1");
  begin();
  EXPECT_EQ(work(), "create web-1 10.0.0.1");
  for (int i = 2; i < 60; ++i) {
    add_pod("shop/web-" + std::to_string(i), "10.0.0." + std::to_string(i));
    EXPECT_EQ(work(), "") << "a second slice would have the endpoints twice";
    clock_.advance(seconds(2));
  }
}

TEST_F(SyncTermTest, WritesAgainWhenTheAnswerIsNoSlice) {
  add_service("shop/web", "app=web");
  add_pod("shop/web-a", "10.0.0.1");
  begin();
  // Somewhere between here and the API server.
  api_.failures.emplace_back("POST",
                             kube::ApiResponse{.status = 200, .body = "<html>welcome</html>"});
  EXPECT_EQ(work(), "");
  clock_.advance(seconds(2));
  EXPECT_EQ(work(), "create web-1 10.0.0.1");
}

TEST_F(SyncTermTest, RepairsWhatOthersDoToItsSlicesASecondLater) {
  add_service("shop/web", "app=web");
  add_pod("shop/web-a", "10.0.0.1");
  begin();
  settle();
  json::object broken = api_.slices.at("shop/web-1");
  broken["endpoints"] = json::array();
  broken["metadata"].as_object()["generation"] = 2;
  api_.put(broken);
  api_.deliver();
  EXPECT_EQ(settle(), "");
  clock_.advance(seconds(1));
  EXPECT_EQ(settle(), "update web-1 10.0.0.1");
  api_.erase("shop/web-1");
  api_.deliver();
  clock_.advance(seconds(1));
  EXPECT_EQ(settle(), "create web-2 10.0.0.1");
}

struct BatchRow {
  const char* name;
  milliseconds period;
  std::vector<milliseconds> events;  // when Pods come
  std::size_t writes;
};
const BatchRow kBatches[] = {
    {"no batching: one write each",
     milliseconds(0),
     {milliseconds(0), milliseconds(200), milliseconds(400)},
     3},
    {"one window: one write",
     milliseconds(1000),
     {milliseconds(0), milliseconds(200), milliseconds(400)},
     1},
    {"the third comes after the window",
     milliseconds(1000),
     {milliseconds(0), milliseconds(200), milliseconds(1200)},
     2},
};

TEST_F(SyncTermTest, GathersChangesOfPodsForTheBatchPeriod) {
  for (const BatchRow& row : kBatches) {
    term_.reset();
    make(row.period);
    const std::string ns = std::to_string(row.writes);
    add_service(ns + "/web", "app=web");
    begin();
    settle();
    std::size_t writes = 0;
    for (milliseconds now(0); now <= milliseconds(4000); now += milliseconds(100)) {
      for (std::size_t i = 0; i < row.events.size(); ++i)
        if (row.events[i] == now)
          add_pod(ns + "/web-" + std::to_string(i), "10.0.0." + std::to_string(i + 1));
      const std::string written = settle();
      if (!written.empty()) ++writes;
      clock_.advance(milliseconds(100));
    }
    EXPECT_EQ(writes, row.writes) << row.name;
  }
}

TEST_F(SyncTermTest, WritesAChangeAtOnceAndThoseThatFollowTogether) {
  options_.write_spacing = milliseconds(100);
  add_service("shop/web", "app=web");
  begin();
  EXPECT_EQ(settle(), "create web-1");
  clock_.advance(milliseconds(100));
  add_pod("shop/web-a", "10.0.0.1");
  EXPECT_EQ(settle(), "update web-1 10.0.0.1") << "at once";
  add_pod("shop/web-b", "10.0.0.2");
  EXPECT_EQ(settle(), "");
  clock_.advance(milliseconds(50));
  add_pod("shop/web-c", "10.0.0.3");
  EXPECT_EQ(settle(), "");
  clock_.advance(milliseconds(50));
  EXPECT_EQ(settle(), "update web-1 10.0.0.1 10.0.0.2 10.0.0.3");
}

kube::ApiResponse refusal(int code, std::string_view reason, std::string_view cause = "") {
  json::object status{{"kind", "Status"}, {"reason", reason}, {"message", "not now"}};
  if (!cause.empty())
    status["details"] = json::object{{"causes", json::array{json::object{{"reason", cause}}}}};
  return {code, {}, json::serialize(status)};
}

TEST_F(SyncTermTest, TellsOfAFailureAndTriesAgainWithGrowingPatience) {
  add_service("shop/web", "app=web");
  begin();
  for (int i = 0; i < 3; ++i) api_.failures.emplace_back("POST", refusal(500, "InternalError"));
  EXPECT_EQ(settle(), "");
  clock_.advance(milliseconds(999));
  EXPECT_EQ(settle(), "");
  EXPECT_EQ(api_.failures.size(), 2U);
  clock_.advance(milliseconds(1));
  settle();
  EXPECT_EQ(api_.failures.size(), 1U) << "after a second";
  clock_.advance(seconds(2));
  settle();
  EXPECT_EQ(api_.failures.size(), 0U) << "and two more";
  clock_.advance(seconds(4));
  EXPECT_EQ(settle(), "create web-1");
  EXPECT_EQ(metric("endpoint_slice_controller_syncs{result=\"error\"}"), "3");
  term_.reset();  // its events are written then
  ASSERT_FALSE(api_.events.empty());
  EXPECT_EQ(api_.events[0],
            "Warning FailedToUpdateEndpointSlices: Error updating Endpoint Slices for Service "
            "shop/web: failed to create EndpointSlice for Service shop/web: not now");
}

TEST_F(SyncTermTest, LooksAgainInTheEndAtWhatFailedTooOften) {
  add_service("shop/web", "app=web");
  begin();
  for (int i = 0; i < 16; ++i) api_.failures.emplace_back("POST", refusal(500, "InternalError"));
  std::string written;
  for (int i = 0; i < 40 && written.empty(); ++i) {
    written = settle();
    clock_.advance(seconds(1000));
  }
  EXPECT_EQ(written, "create web-1");
  EXPECT_NE(logged_.find("A sync failed too often"), std::string::npos);
}

TEST_F(SyncTermTest, GivesUpQuietlyInANamespaceThatIsEnding) {
  add_service("shop/web", "app=web");
  begin();
  api_.failures.emplace_back("POST", refusal(403, "Forbidden", "NamespaceTerminating"));
  EXPECT_EQ(settle(), "");
  EXPECT_EQ(metric("endpoint_slice_controller_syncs{result=\"success\"}"), "1");
}

TEST_F(SyncTermTest, StartsAgainFromTheNewerSliceAfterAConflict) {
  add_service("shop/web", "app=web");
  add_pod("shop/web-a", "10.0.0.1");
  begin();
  settle();
  json::object touched = api_.slices.at("shop/web-1");
  touched["metadata"].as_object()["annotations"] = json::object{{"others", "too"}};
  api_.put(touched);  // and the cache does not know
  add_pod("shop/web-b", "10.0.0.2");
  EXPECT_EQ(work(), "");
  EXPECT_EQ(metric("endpoint_slice_controller_syncs{result=\"error\"}"), "1");
  api_.deliver();
  clock_.advance(seconds(1));
  EXPECT_EQ(settle(), "update web-1 10.0.0.1 10.0.0.2");
  EXPECT_EQ(api_.slices.at("shop/web-1").at("metadata").at("annotations").at("others").as_string(),
            "too");
}

TEST_F(SyncTermTest, PublishesTheOthersWhenANodeIsMissingAndAllWhenItComes) {
  add_service("shop/web", "app=web");
  add_pod("shop/web-a", "10.0.0.1");
  auto stray = pod("shop/web-b", "10.0.0.2");
  stray->node = Text("n2");
  caches_.pods.put(stray);
  begin();
  EXPECT_EQ(settle(), "create web-1 10.0.0.1");
  EXPECT_EQ(metric("endpoint_slice_controller_syncs{result=\"error\"}"), "1");
  add_node("n2", "b");
  EXPECT_EQ(settle(), "update web-1 10.0.0.1 10.0.0.2") << "at once";
  term_.reset();
  ASSERT_FALSE(api_.events.empty());
  EXPECT_EQ(api_.events[0],
            "Warning FailedToUpdateEndpointSlices: Error updating Endpoint Slices for Service "
            "shop/web: skipping Pod web-b for Service shop/web: Node n2 Not Found");
}

TEST_F(SyncTermTest, WritesAgainWhenANodeChangesItsZone) {
  add_service("shop/web", "app=web");
  add_pod("shop/web-a", "10.0.0.1");
  begin();
  settle();
  add_node("n1", "b");
  EXPECT_EQ(settle(), "") << "Nodes change in bursts";
  clock_.advance(seconds(1));
  EXPECT_EQ(settle(), "update web-1 10.0.0.1");
  EXPECT_EQ(api_.slices.at("shop/web-1").at("endpoints").at(0).at("zone").as_string(), "b");
}

TEST_F(SyncTermTest, RemovesSlicesOfAFamilyThatIsGone) {
  auto dual = service("shop/web", "app=web");
  dual->has_v6 = true;
  dual->ip_families = {IpFamily::V4, IpFamily::V6};
  caches_.services.put(dual);
  begin();
  EXPECT_EQ(settle(), "create web-1; create web-2");
  add_service("shop/web", "app=web");
  EXPECT_EQ(settle(), "delete web-2");
  clock_.advance(seconds(5));
  EXPECT_EQ(settle(), "") << "its own deletion is no news";
}

TEST_F(SyncTermTest, ForgetsAServiceThatIsGoneAndLeavesItsSlices) {
  add_service("shop/web", "app=web");
  begin();
  settle();
  EXPECT_TRUE(book_.find("shop/web"));
  caches_.services.erase({"shop", "web"});
  EXPECT_EQ(settle(), "");
  EXPECT_FALSE(book_.find("shop/web"));
  EXPECT_FALSE(tracker_.is_stale("shop/web", {}));
}

TEST_F(SyncTermTest, WritesNothingInShadowAndShowsWhatItWouldWrite) {
  options_.writes = Writes::Shadow;
  add_service("shop/web", "app=web");
  add_pod("shop/web-a", "10.0.0.1");
  begin();
  EXPECT_EQ(settle(), "");
  const DecisionRef entry = book_.find("shop/web");
  ASSERT_TRUE(entry);
  ASSERT_EQ(entry->shadow.size(), 1U);
  EXPECT_EQ(entry->shadow[0].name, "web-");
  add_pod("shop/web-a", "10.0.0.2");
  EXPECT_EQ(settle(), "");
  EXPECT_NE(book_.find("shop/web")->shadow.at(0).body.find("10.0.0.2"), std::string::npos);
  EXPECT_TRUE(api_.events.empty());
  EXPECT_TRUE(api_.patches.empty());
}

TEST_F(SyncTermTest, TellsWhenHintsComeAndGo) {
  add_node("n2", "b");
  auto hinted = service("shop/web", "app=web");
  hinted->annotations = make_.labels("service.kubernetes.io/topology-mode=Auto");
  caches_.services.put(hinted);
  begin();
  settle();
  add_pod("shop/web-a", "10.0.0.1");
  auto other = pod("shop/web-b", "10.0.0.2");
  other->node = Text("n2");
  caches_.pods.put(other);
  settle();
  const auto endpoints = api_.slices.at("shop/web-1").at("endpoints").as_array();
  ASSERT_EQ(endpoints.size(), 2U);
  EXPECT_TRUE(endpoints[0].as_object().contains("hints"));
  metrics_.show(book_);
  const std::string labels = "{address_type=\"IPv4\",namespace=\"shop\",service=\"web\"";
  EXPECT_EQ(metric("proxima_service_hinted_endpoints" + labels + ",zone=\"a\"}"), "1");
  EXPECT_EQ(metric("proxima_service_predicted_local_share_ratio" + labels + "}"), "1");
  EXPECT_EQ(metric("endpoint_slice_controller_endpoints_desired"), "2");
  add_service("shop/web", "app=web");
  settle();
  term_.reset();
  ASSERT_EQ(api_.events.size(), 3U);
  EXPECT_EQ(api_.events[0],
            "Warning TopologyAwareHintsDisabled: Insufficient number of endpoints (0 endpoints, 2 "
            "zones), addressType: IPv4");
  EXPECT_EQ(api_.events[1],
            "Normal TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: "
            "IPv4");
  EXPECT_EQ(api_.events[2],
            "Warning TopologyAwareHintsDisabled: Topology Aware Hints has been disabled, "
            "addressType: IPv4");
}

TEST_F(SyncTermTest, LooksAgainAtServicesWhoseHintsFollowNodes) {
  auto hinted = service("shop/web", "app=web");
  hinted->annotations = make_.labels("service.kubernetes.io/topology-mode=Auto");
  caches_.services.put(hinted);
  add_pod("shop/web-a", "10.0.0.1");
  auto other = pod("shop/web-b", "10.0.0.2");
  other->node = Text("n2");
  caches_.nodes.put(make_.node("n2", std::string(kZone) + "=b"));
  auto unready = make_.node("n2", std::string(kZone) + "=b");
  unready->ready = false;
  caches_.nodes.put(unready);
  caches_.pods.put(other);
  begin();
  settle();
  EXPECT_FALSE(api_.slices.at("shop/web-1").at("endpoints").at(0).as_object().contains("hints"));
  add_node("n2", "b");
  EXPECT_EQ(settle(), "");
  clock_.advance(seconds(1));
  EXPECT_EQ(settle(), "update web-1 10.0.0.1 10.0.0.2");
  EXPECT_TRUE(api_.slices.at("shop/web-1").at("endpoints").at(0).as_object().contains("hints"));
}

TEST_F(SyncTermTest, SaysOnTheServiceWhatWasDecidedOnce) {
  auto asking = service("shop/web", "app=web");
  asking->traffic_distribution = Text("PreferSameZone");
  caches_.services.put(asking);
  begin();
  settle();
  ASSERT_EQ(api_.patches.size(), 1U);
  EXPECT_NE(api_.patches[0].find("/api/v1/namespaces/shop/services/web/status "),
            std::string::npos);
  EXPECT_NE(api_.patches[0].find("proxima.io/TrafficDistributionAccepted"), std::string::npos);
}

TEST_F(SyncTermTest, TriesAgainWithConditionsUnlessItMayNotWriteThem) {
  auto asking = service("shop/web", "app=web");
  asking->traffic_distribution = Text("PreferSameZone");
  caches_.services.put(asking);
  begin();
  api_.failures.emplace_back("PATCH", refusal(500, "InternalError"));
  settle();
  EXPECT_TRUE(api_.patches.empty());
  EXPECT_EQ(metric("endpoint_slice_controller_syncs{result=\"success\"}"), "1");
  api_.failures.emplace_back("PATCH", refusal(403, "Forbidden"));
  clock_.advance(seconds(60));
  settle();
  clock_.advance(seconds(600));
  settle();
  EXPECT_TRUE(api_.patches.empty()) << "not asked for again";
  EXPECT_NE(logged_.find("Conditions are left out"), std::string::npos);
}

TEST_F(SyncTermTest, EndsAFailoverWhenItsTimeIsOver) {
  auto strict = service("shop/web", "app=web");
  strict->annotations = make_.labels("proxima.io/failover=for=10m,proxima.io/policy=require-zone");
  caches_.services.put(strict);
  for (const char* name : {"n1", "n2"}) {
    auto node = make_.node(name, std::string(kZone) + (name[1] == '1' ? "=a" : "=b"));
    node->cpu = Quantity::from_milli(4000);
    caches_.nodes.put(node);
  }
  add_pod("shop/web-a", "10.0.0.1");
  begin();
  settle();
  const auto routing = [&] {
    return std::string(api_.slices.at("shop/web-1")
                           .at("metadata")
                           .at("annotations")
                           .at("proxima.io/routing")
                           .as_string());
  };
  EXPECT_EQ(routing(), "v1|zone=required|failover=b@2026-03-01T01:00:00Z|rest=b=a:1000");
  clock_.advance(seconds(599));
  EXPECT_EQ(settle(), "");
  // Another process takes over, and knows what the slice says.
  book_.clear();
  begin();
  EXPECT_EQ(settle(), "");
  clock_.advance(seconds(1));
  EXPECT_EQ(settle(), "update web-1 10.0.0.1");
  EXPECT_EQ(routing(), "v1|zone=required|spent=b@2026-03-01T01:00:00Z");
  clock_.advance(seconds(6000));
  EXPECT_EQ(settle(), "") << "it stays over";
  auto there = pod("shop/web-b", "10.0.0.2");
  there->node = Text("n2");
  caches_.pods.put(there);
  settle();
  EXPECT_EQ(routing(), "v1|zone=required");
  term_.reset();  // its events are written then
  std::string told;
  for (const std::string& event : api_.events) told += event.substr(0, event.find(':')) + "; ";
  EXPECT_EQ(told,
            "Warning ZoneFailsOver; Warning RequiredZoneRejects; Warning ZoneFailoverSpent; "
            "Normal ZoneFailoverEnded; ");
  EXPECT_NE(api_.events.front().find("50% of the Service's traffic crosses zones, which costs 0.5"),
            std::string::npos);
}

TEST_F(SyncTermTest, ForgetsDecisionsAboutAServiceThatLosesItsSelector) {
  add_service("shop/web", "app=web");
  begin();
  settle();
  add_service("shop/web", "-");
  EXPECT_EQ(settle(), "") << "its slices stay";
  EXPECT_FALSE(book_.find("shop/web"));
}

TEST_F(SyncTermTest, CountsWhatIsInTheQueue) {
  add_service("shop/a", "app=web");
  add_service("shop/b", "app=web");
  begin();
  term_->show_queue();
  EXPECT_EQ(metric("workqueue_depth{name=\"endpoint_slice\"}"), "2");
  settle();
  term_->show_queue();
  EXPECT_EQ(metric("workqueue_depth{name=\"endpoint_slice\"}"), "0");
  EXPECT_EQ(metric("workqueue_adds_total{name=\"endpoint_slice\"}"), "2");
  EXPECT_EQ(metric("workqueue_work_duration_seconds_count{name=\"endpoint_slice\"}"), "2");
}

TEST(Aggregation, WritesErrorsAsUpstreamDoes) {
  EXPECT_EQ(aggregate({}), "");
  EXPECT_EQ(aggregate({"a"}), "a");
  EXPECT_EQ(aggregate({"a", "b", "a"}), "[a, b]");
}

// A bound on overload is at least 0: `balanced` checks it, and no other policy looks at it. So a
// Service with that policy breaks until it says a bound of its own.
plan::PlanOptions breaking_balanced() {
  plan::PlanOptions options;
  options.defaults.overload = -1;
  return options;
}

class BrokenServiceTest : public SyncTermTest {
 protected:
  BrokenServiceTest() : SyncTermTest(breaking_balanced()) {}

  void put_balanced(std::string_view key, std::string_view overload = {}) {
    auto made = service(key, "app=web");
    std::vector<kube::LabelText> annotations = {{Text("proxima.io/policy"), Text("balanced")}};
    if (!overload.empty())
      annotations.insert(annotations.begin(), {Text("proxima.io/overload"), Text(overload)});
    made->annotations = kube::LabelSetRef(new kube::LabelSet(std::move(annotations)));
    caches_.services.put(made);
  }
  int count_logged(std::string_view words) const {
    int count = 0;
    for (std::size_t at = logged_.find(words); at != std::string::npos;
         at = logged_.find(words, at + 1))
      ++count;
    return count;
  }
};

TEST_F(BrokenServiceTest, CostsItselfItsUpdateAndNobodyElseAnything) {
  add_service("shop/web", "app=web");
  add_service("shop/db", "app=web");
  add_pod("shop/web-a", "10.0.0.1");
  begin();
  EXPECT_EQ(settle(), "create db-1 10.0.0.1; create web-2 10.0.0.1");
  put_balanced("shop/web");
  add_pod("shop/web-b", "10.0.0.2");
  EXPECT_EQ(settle(), "update db-1 10.0.0.1 10.0.0.2") << "what is published of web stays";
  EXPECT_EQ(metric("proxima_service_internal_errors_total"), "1");
  metrics_.show(book_);
  EXPECT_EQ(metric("proxima_internal_error_services"), "1");
  const DecisionRef known = book_.find("shop/web");
  ASSERT_TRUE(known);
  EXPECT_NE(known->error.find("input.overload >= 0 (balanced.cc:"), std::string::npos)
      << known->error;
  EXPECT_EQ(known->decision.families.size(), 1U) << "what was decided last is still known";
}

TEST_F(BrokenServiceTest, IsToldOnceHoweverOftenItIsTried) {
  put_balanced("shop/web");
  add_pod("shop/web-a", "10.0.0.1");
  begin();
  for (int i = 0; i < 20; ++i) {
    settle();
    clock_.advance(seconds(60));
  }
  EXPECT_EQ(count_logged("An internal error stopped the update of a Service"), 1) << logged_;
  EXPECT_EQ(count_logged("A sync failed"), 0) << logged_;
  term_.reset();  // its events are written then
  ASSERT_EQ(api_.events.size(), 1U);
  EXPECT_EQ(api_.events[0].substr(0, 23), "Warning InternalError: ") << api_.events[0];
}

TEST_F(BrokenServiceTest, IsTriedAgainEverLessOftenWhileItsObjectsChange) {
  put_balanced("shop/web");
  begin();
  int tries = 0;
  std::string before = metric("proxima_service_internal_errors_total");
  for (int i = 0; i < 600; ++i) {
    add_pod("shop/web-" + std::to_string(i), "10.0.0.1");
    settle();
    clock_.advance(seconds(1));
    const std::string now = metric("proxima_service_internal_errors_total");
    tries += now != before ? 1 : 0;
    before = now;
  }
  EXPECT_GE(tries, 15);
  EXPECT_LE(tries, 30) << "600 changes, one a second";
}

TEST_F(BrokenServiceTest, IsWrittenAsSoonAsItIsMended) {
  put_balanced("shop/web");
  add_pod("shop/web-a", "10.0.0.1");
  begin();
  EXPECT_EQ(settle(), "");
  put_balanced("shop/web", "20%");
  EXPECT_EQ(settle(), "") << "the first retry is a second later";
  clock_.advance(seconds(1));
  EXPECT_EQ(settle(), "create web-1 10.0.0.1");
  metrics_.show(book_);
  EXPECT_EQ(metric("proxima_internal_error_services"), "0");
  EXPECT_TRUE(book_.find("shop/web")->error.empty());
  put_balanced("shop/web");
  settle();
  EXPECT_EQ(count_logged("An internal error stopped the update of a Service"), 2)
      << "a failure after a success is news";
}

TEST_F(BrokenServiceTest, IsTriedAgainWhenNodesChange) {
  put_balanced("shop/web");
  add_pod("shop/web-a", "10.0.0.1");
  begin();
  for (int i = 0; i < 12; ++i) {
    settle();
    clock_.advance(seconds(1000));
  }
  settle();  // by itself it is not tried again for long now
  const std::string before = metric("proxima_service_internal_errors_total");
  clock_.advance(seconds(60));
  settle();
  EXPECT_EQ(metric("proxima_service_internal_errors_total"), before);
  add_node("n2", "b");
  settle();
  clock_.advance(seconds(60));
  settle();
  EXPECT_NE(metric("proxima_service_internal_errors_total"), before);
}

}  // namespace
}  // namespace proxima::controller
