// SPDX-License-Identifier: Apache-2.0
#include "controller/mirroring_controller.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "support/fake_http_client.h"
#include "support/patience.h"

namespace proxima::controller {
namespace {

using namespace std::chrono_literals;

// Says nothing until it is cancelled.
class SilentStream final : public net::HttpStream {
 public:
  explicit SilentStream(const net::Cancellation& cancellation)
      : attachment_(cancellation, [this] {
          const std::lock_guard guard(mutex_);
          over_ = true;
          changed_.notify_all();
        }) {}
  int status() const override { return 200; }
  const net::HttpHeaders& headers() const override { return headers_; }
  Result<std::string_view> read() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return over_; });
    return Error{ErrorCode::Retry, "cancelled"};
  }

 private:
  net::HttpHeaders headers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  net::Cancellation::Attachment attachment_;
};

// Lists what it was given, and remembers what is written.
class FakeApi final : public kube::KubeApi {
 public:
  Result<kube::ApiResponse> send(const kube::ApiRequest& request,
                                 const net::Cancellation& /*cancellation*/) override {
    const std::lock_guard guard(mutex_);
    const bool is_event = request.path.ends_with("/events");
    if (is_event) events_.push_back(request.body);
    if (breaks_down && !is_event) throw std::runtime_error("torn");
    writes_.push_back(request.method + " " + request.path);
    changed_.notify_all();
    return kube::ApiResponse{201, {}, R"({"metadata":{"name":"db-1","namespace":"shop","uid":"u",
        "generation":1},"addressType":"IPv4"})"};
  }
  Result<std::unique_ptr<net::HttpStream>> open(const kube::ApiRequest& request,
                                                std::chrono::milliseconds /*idle*/,
                                                const net::Cancellation& cancellation) override {
    bool watches = false;
    for (const auto& parameter : request.query) watches |= parameter.name == "watch";
    if (watches)
      return std::unique_ptr<net::HttpStream>(std::make_unique<SilentStream>(cancellation));
    const std::string kind = request.path.substr(request.path.rfind('/') + 1);
    const auto found = items.find(kind);  // by find: several threads list at once
    const std::string body = R"({"metadata":{"resourceVersion":"9"},"items":[)" +
                             (found == items.end() ? std::string() : found->second) + "]}";
    return std::unique_ptr<net::HttpStream>(
        std::make_unique<testing::FakeHttpStream>(net::HttpResponse{200, {}, body}));
  }
  // Waits for so many writes.
  std::vector<std::string> writes(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, testing::kPatience, [&] { return writes_.size() >= count; });
    return writes_;
  }

  std::vector<std::string> events() {
    const std::lock_guard guard(mutex_);
    return events_;
  }

  std::map<std::string, std::string> items;  // by plural; before anything is started
  std::atomic<bool> breaks_down = false;     // whoever writes anything but an Event

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> writes_;
  std::vector<std::string> events_;
};

class MirroringControllerTest : public ::testing::Test {
 protected:
  std::unique_ptr<MirroringController> make(MirroringOptions options = {}) {
    auto made = MirroringController::create(std::move(options), {api_, clock_, metrics_, log_});
    EXPECT_TRUE(made);
    return std::move(made).value();
  }

  FakeApi api_;
  SystemClock clock_;
  telemetry::MetricsRegistry metrics_;
  std::mutex lines_mutex_;
  std::string lines_;
  telemetry::Log log_{{}, clock_, [this](std::string_view line) {
                        const std::lock_guard guard(lines_mutex_);
                        lines_ += line;
                      }};
};

void fill(FakeApi& api) {
  api.items["services"] = R"({"metadata":{"name":"db","namespace":"shop","resourceVersion":"1"},
      "spec":{"clusterIP":"10.0.0.1"}})";
  api.items["endpoints"] = R"({"metadata":{"name":"db","namespace":"shop","resourceVersion":"2"},
      "subsets":[{"addresses":[{"ip":"10.1.1.1"}],"ports":[{"port":80}]}]})";
}

TEST_F(MirroringControllerTest, RefusesNumbersOutOfRange) {
  struct Row {
    MirroringOptions options;
    const char* refusal;
  };
  const Row rows[] = {
      {{.max_endpoints_per_subset = 0},
       "mirroring-max-endpoints-per-subset must not be less than 1, but got 0"},
      {{.max_endpoints_per_subset = 1001},
       "mirroring-max-endpoints-per-subset must not be more than 1000, but got 1001"},
      {{.concurrent_syncs = 0},
       "mirroring-concurrent-service-endpoint-syncs must not be less than 1, but got 0"},
      {{.concurrent_syncs = 51},
       "mirroring-concurrent-service-endpoint-syncs must not be more than 50, but got 51"},
  };
  for (const Row& row : rows) {
    const auto made = MirroringController::create(row.options, {api_, clock_, metrics_, log_});
    ASSERT_FALSE(made) << row.refusal;
    EXPECT_EQ(made.error().message, row.refusal);
  }
}

TEST_F(MirroringControllerTest, WritesOnlyWhileItLeads) {
  fill(api_);
  const auto controller = make();
  EXPECT_EQ(controller->status().waiting_for, "services, endpoints, endpointslices");
  controller->start();
  EXPECT_FALSE(controller->status().leading);
  controller->lead({});
  const std::vector<std::string> once = {
      "POST /apis/discovery.k8s.io/v1/namespaces/shop/endpointslices"};
  EXPECT_EQ(api_.writes(1), once);
  EXPECT_TRUE(controller->status().synced);
  EXPECT_TRUE(controller->status().leading);
  controller->stop_leading();
  controller->wait_until_idle();
  EXPECT_FALSE(controller->status().leading);
  EXPECT_EQ(api_.writes(1), once);
  // Whoever leads again looks at everything again; what it wrote is still not in the cache.
  controller->lead({});
  EXPECT_TRUE(testing::eventually([this] {
    const std::lock_guard guard(lines_mutex_);
    return lines_.find("EndpointSlice informer cache is out of date") != std::string::npos;
  }));
  EXPECT_EQ(api_.writes(1), once);
  const std::string metrics = metrics_.render();
  for (const char* line : {"workqueue_depth{name=\"endpoint_slice_mirroring\"} 0\n",
                           "workqueue_adds_total{name=\"endpoint_slice_mirroring\"} "})
    EXPECT_NE(metrics.find(line), std::string::npos) << line;
  controller->stop();
  controller->lead({});
  EXPECT_FALSE(controller->status().leading) << "what is stopped stays so";
}

TEST_F(MirroringControllerTest, AShadowOnlySaysWhatItWouldDo) {
  fill(api_);
  const auto controller = make({.writes = Writes::Shadow});
  controller->start();
  controller->lead({});
  const auto shown = [this] {
    return metrics_.render().find(R"(controller_changes{operation="create"} 1)") !=
           std::string::npos;
  };
  EXPECT_TRUE(testing::eventually(shown));
  controller->stop();
  EXPECT_TRUE(api_.writes(0).empty());
  const std::lock_guard guard(lines_mutex_);
  EXPECT_NE(lines_.find("Would write an EndpointSlice"), std::string::npos) << lines_;
}

// Leaderships come and go while the caches are still being filled.
TEST_F(MirroringControllerTest, TheLastWordCounts) {
  fill(api_);
  const auto controller = make();
  for (int i = 0; i < 20; ++i) {
    controller->lead({});
    controller->stop_leading();
  }
  EXPECT_FALSE(controller->status().leading);
  controller->wait_until_idle();
  EXPECT_TRUE(api_.writes(0).empty());
  controller->lead({});
  controller->start();
  EXPECT_EQ(api_.writes(1).size(), 1U);
}

TEST_F(MirroringControllerTest, AnInternalErrorIsToldOnceAndTriedAgain) {
  fill(api_);
  api_.breaks_down = true;
  const auto controller = make();
  controller->start();
  controller->lead({});
  const auto counted = [this](int count) {
    return metrics_.render().find("proxima_mirroring_internal_errors_total " +
                                  std::to_string(count) + "\n") != std::string::npos;
  };
  EXPECT_TRUE(testing::eventually([&] { return counted(2); })) << "it is tried again by itself";
  EXPECT_TRUE(testing::eventually([&] { return !api_.events().empty(); }));
  api_.breaks_down = false;
  EXPECT_EQ(api_.writes(2).back(), "POST /apis/discovery.k8s.io/v1/namespaces/shop/endpointslices");
  controller->stop();
  ASSERT_EQ(api_.events().size(), 1U);
  const std::string event = api_.events().front();
  for (const char* const part : {"\"kind\":\"Endpoints\"", "\"reason\":\"InternalError\"", "torn"})
    EXPECT_NE(event.find(part), std::string::npos) << part << " in " << event;
  const std::lock_guard guard(lines_mutex_);
  const auto line = lines_.find("An internal error stopped the mirroring of Endpoints");
  ASSERT_NE(line, std::string::npos) << lines_;
  EXPECT_EQ(lines_.find("An internal error", line + 1), std::string::npos) << lines_;
}

TEST_F(MirroringControllerTest, CanBeStoppedBeforeItHasBegun) {
  make()->stop();
  EXPECT_TRUE(api_.writes(0).empty());
}

}  // namespace
}  // namespace proxima::controller
