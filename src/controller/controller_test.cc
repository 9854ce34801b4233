// SPDX-License-Identifier: Apache-2.0
#include "controller/controller.h"

#include <gtest/gtest.h>

#include <mutex>

#include "support/fake_cluster_api.h"
#include "support/patience.h"

namespace proxima::controller {
namespace {

constexpr const char* kNode =
    R"({"metadata":{"name":"n1","uid":"n","resourceVersion":"2",
        "labels":{"topology.kubernetes.io/zone":"a"}},
        "status":{"allocatable":{"cpu":"4"},"conditions":[{"type":"Ready","status":"True"}]}})";
constexpr const char* kService =
    R"({"metadata":{"namespace":"shop","name":"web","uid":"s","resourceVersion":"3",
        "creationTimestamp":"2026-01-01T00:00:00Z"},
        "spec":{"type":"ClusterIP","clusterIP":"10.96.0.1","clusterIPs":["10.96.0.1"],
        "ipFamilies":["IPv4"],"selector":{"app":"web"},
        "ports":[{"port":80,"protocol":"TCP","targetPort":8080}]}})";

std::string pod(const std::string& name, const std::string& address, int version) {
  return R"({"metadata":{"namespace":"shop","name":")" + name + R"(","uid":")" + name +
         R"(","resourceVersion":")" + std::to_string(version) +
         R"(","labels":{"app":"web"}},"spec":{"nodeName":"n1"},"status":{"phase":"Running",
            "podIP":")" +
         address + R"(","podIPs":[{"ip":")" + address +
         R"("}],"conditions":[{"type":"Ready","status":"True",
            "lastTransitionTime":"2026-01-01T00:00:05Z"}]}})";
}

class ControllerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    api_.put("nodes", kNode);
    api_.put("services", kService);
    api_.put("pods", pod("web-a", "10.0.0.1", 4));
  }
  std::unique_ptr<Controller> make(ControllerOptions options = {}) {
    auto made = Controller::create(std::move(options), {api_, clock_, registry_, log_});
    EXPECT_TRUE(made);
    return std::move(*made);
  }
  bool wait_for_write(const std::string& expected) {
    std::string seen;
    const bool came = api_.wait_for([&](testing::FakeSliceApi& slices) {
      const std::string more = slices.take_writes();
      if (!more.empty()) seen += (seen.empty() ? "" : "; ") + more;
      return seen == expected;
    });
    EXPECT_EQ(seen, expected);
    return came;
  }

  SystemClock clock_;
  telemetry::Log log_{{}, clock_, [](std::string_view) {}};
  telemetry::MetricsRegistry registry_;
  testing::FakeClusterApi api_;
};

TEST_F(ControllerTest, WritesOnlyWhileItLeadsAndTakesUpWhereItStopped) {
  const auto controller = make();
  controller->start();
  while (!controller->status().synced) std::this_thread::yield();
  EXPECT_EQ(controller->status().services, 1U);
  EXPECT_FALSE(controller->status().leading);
  EXPECT_EQ(api_.slices.take_writes(), "") << "a standby only looks";

  controller->lead(std::nullopt);
  EXPECT_TRUE(wait_for_write("create web-1 10.0.0.1"));
  controller->stop_leading();
  controller->wait_until_idle();
  api_.put("pods", pod("web-b", "10.0.0.2", 5));
  EXPECT_EQ(api_.slices.take_writes(), "");

  controller->lead(std::nullopt);
  EXPECT_TRUE(wait_for_write("update web-1 10.0.0.1 10.0.0.2"));
  controller->stop();
  EXPECT_EQ(api_.slices.take_writes(), "");
}

TEST_F(ControllerTest, WritesNothingTwiceWhenItLeadsAgainBeforeItsWatchShowsTheFirst) {
  api_.delay_slices();
  const auto controller = make();
  controller->start();
  controller->lead(std::nullopt);
  EXPECT_TRUE(wait_for_write("create web-1 10.0.0.1"));
  controller->stop_leading();
  controller->wait_until_idle();
  controller->lead(std::nullopt);
  EXPECT_TRUE(testing::eventually([this] {
    return registry_.render().find(R"(controller_syncs{result="stale"} 1)") != std::string::npos;
  }));
  EXPECT_EQ(api_.slices.take_writes(), "") << "the cache does not show what it wrote before";
  api_.put("pods", pod("web-b", "10.0.0.2", 5));
  api_.show_slices();
  EXPECT_TRUE(wait_for_write("update web-1 10.0.0.1 10.0.0.2"));
}

TEST_F(ControllerTest, ALeaderWaitsForCachesThatFellBehindBeforeItWrites) {
  std::mutex mutex;
  std::string logged;
  const telemetry::Log log({}, clock_, [&](std::string_view line) {
    const std::lock_guard lock(mutex);
    logged += line;
  });
  const auto made = Controller::create({}, {api_, clock_, registry_, log});
  ASSERT_TRUE(made);
  Controller& controller = **made;
  controller.start();
  while (!controller.status().synced) std::this_thread::yield();
  api_.cut("pods");
  ASSERT_TRUE(testing::eventually(
      [&] { return controller.caches().behind(clock_.steady_now()) == "pods"; }));
  api_.put("pods", pod("web-b", "10.0.0.2", 5));

  controller.lead(std::nullopt);
  EXPECT_TRUE(testing::eventually([&] {
    const std::lock_guard lock(mutex);
    return logged.find(R"(waits for caches that are behind" kinds="pods")") != std::string::npos;
  }));
  EXPECT_EQ(api_.slices.take_writes(), "") << "the leader before knew of web-b";
  api_.mend("pods");
  EXPECT_TRUE(wait_for_write("create web-1 10.0.0.1 10.0.0.2"));
}

TEST_F(ControllerTest, ShowsWhatItDecided) {
  const auto controller = make();
  EXPECT_EQ(controller->status().waiting_for, "pods, services, nodes, namespaces, endpointslices");
  controller->start();
  controller->lead(std::nullopt);
  EXPECT_TRUE(wait_for_write("create web-1 10.0.0.1"));
  controller->stop_leading();
  controller->wait_until_idle();
  EXPECT_EQ(*controller->debug_plan(""), R"({"services":[]})") << "another leads now";
  EXPECT_EQ(controller->debug_plan("shop/none").error().code, ErrorCode::NotFound);
}

TEST_F(ControllerTest, LeavesNothingBehindInTheMetrics) {
  make()->start();
  EXPECT_NE(registry_.render().find("endpoint_slice_controller_num_endpoint_slices 0"),
            std::string::npos);
}

TEST_F(ControllerTest, StopsInTheMiddleOfAnything) {
  for (int i = 0; i < 10; ++i) {
    telemetry::MetricsRegistry registry;
    auto made = Controller::create({}, {api_, clock_, registry, log_});
    ASSERT_TRUE(made);
    (*made)->start();
    (*made)->lead(std::nullopt);
    if (i % 2 == 0) (*made)->stop_leading();
    (*made)->stop();
    EXPECT_FALSE((*made)->status().leading);
  }
}

TEST_F(ControllerTest, RefusesOptionsThatAreOutOfRange) {
  const auto error_of = [&](auto change) {
    ControllerOptions options;
    change(options);
    auto made = Controller::create(options, {api_, clock_, registry_, log_});
    return made ? std::string() : made.error().message;
  };
  EXPECT_EQ(error_of([](auto& o) { o.max_endpoints_per_slice = 0; }),
            "controller: max-endpoints-per-slice: not in 1…1000");
  EXPECT_EQ(error_of([](auto& o) { o.concurrent_syncs = 51; }),
            "controller: concurrent-service-endpoint-syncs: not in 1…50");
  EXPECT_EQ(error_of([](auto& o) { o.updates_batch_period = std::chrono::seconds(-1); }),
            "controller: endpointslice-updates-batch-period: below 0");
}

}  // namespace
}  // namespace proxima::controller
