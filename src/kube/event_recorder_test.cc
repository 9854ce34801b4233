// SPDX-License-Identifier: Apache-2.0
#include "kube/event_recorder.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/check.h"
#include "support/fake_clock.h"

namespace proxima::kube {
namespace {

using std::chrono::seconds;
using testing::FakeClock;

// Answers as it is told, and remembers what was asked.
class EventServer final : public KubeApi {
 public:
  Result<ApiResponse> send(const ApiRequest& request, const net::Cancellation&) override {
    std::unique_lock lock(mutex);
    asked.push_back(request.method);
    bounded = bounded && request.timeout > seconds(0);
    PROXIMA_CHECK(!std::exchange(breaks, false));
    open_gate.wait(lock, [this] { return !closed; });
    if (failures > 0) {
      --failures;
      return Error{ErrorCode::Retry, "connection refused"};
    }
    if (request.method == "PATCH" && forgetful) return ApiResponse{404, {}, ""};
    return ApiResponse{status, {}, status == 201 ? request.body : ""};
  }
  Result<std::unique_ptr<net::HttpStream>> open(const ApiRequest&, std::chrono::milliseconds,
                                                const net::Cancellation&) override {
    return Error{ErrorCode::Unsupported, "no streams"};
  }
  void set_closed(bool now) {
    const std::lock_guard guard(mutex);
    closed = now;
    open_gate.notify_all();
  }

  std::mutex mutex;
  std::condition_variable open_gate;
  bool closed = false;
  bool forgetful = false;
  bool bounded = true;  // every request had a time limit
  bool breaks = false;  // an invariant, with the next request
  int failures = 0;
  int status = 201;
  std::vector<std::string> asked;
};

struct RecorderWorld {
  void record(const char* message = "m") {
    recorder.record({"v1", "Service", "shop", "web", "u", "", ""}, EventType::Normal, "Done",
                    message);
  }
  std::string asked() {
    const std::lock_guard guard(server.mutex);
    std::string all;
    for (const std::string& method : server.asked) all += method + " ";
    return all;
  }

  FakeClock clock;
  EventServer server;
  std::mutex mutex;
  std::vector<std::string> problems;
  EventRecorder recorder{{.source = {"proxima", "node-1"},
                          .on_problem =
                              [this](const std::string& message) {
                                const std::lock_guard guard(mutex);
                                problems.push_back(message);
                              }},
                         server,
                         clock};
};

TEST(EventRecorder, CreatesThenPatches) {
  RecorderWorld world;
  world.record();
  world.record();
  world.record("other");
  world.recorder.flush();
  EXPECT_EQ(world.asked(), "POST PATCH POST ");
  EXPECT_TRUE(world.server.bounded) << "or a server that drips would hold up all events";
  EXPECT_TRUE(world.problems.empty());
}

TEST(EventRecorder, CreatesAgainWhatIsGone) {
  RecorderWorld world;
  world.server.forgetful = true;
  world.record();
  world.record();
  world.recorder.flush();
  EXPECT_EQ(world.asked(), "POST PATCH POST ");
}

TEST(EventRecorder, RetriesOnlyWhatGotNoAnswer) {
  RecorderWorld world;
  world.server.failures = 3;
  world.record();
  world.recorder.flush();
  EXPECT_EQ(world.asked(), "POST POST POST POST ");
  const auto waits = world.clock.waits();
  ASSERT_EQ(waits.size(), 3U);
  EXPECT_LT(waits[0], seconds(10));  // a random part
  EXPECT_EQ(waits[1], seconds(10));
  EXPECT_EQ(waits[2], seconds(10));
}

TEST(EventRecorder, GivesUpAfterTwelveTries) {
  RecorderWorld world;
  world.server.failures = 100;
  world.record();
  world.recorder.flush();
  EXPECT_EQ(world.server.asked.size(), 12U);
  ASSERT_EQ(world.problems.size(), 1U);
  EXPECT_EQ(world.problems[0],
            "unable to write event (retry limit exceeded): Normal Done of Service shop/web");
}

TEST(EventRecorder, ARefusalIsFinal) {
  RecorderWorld world;
  world.server.status = 403;
  world.record();
  world.recorder.flush();
  EXPECT_EQ(world.asked(), "POST ");
  EXPECT_EQ(world.problems.at(0),
            "server rejected event: Normal Done of Service shop/web: unknown (403 Forbidden)");
}

TEST(EventRecorder, AnEventThatBreaksAnInvariantIsLostAloneAndReportedOnce) {
  RecorderWorld world;
  world.server.breaks = true;
  world.record();
  world.record("other");
  world.recorder.flush();
  EXPECT_EQ(world.asked(), "POST POST ");
  ASSERT_EQ(world.problems.size(), 1U);
  EXPECT_TRUE(world.problems[0].starts_with(
      "unable to write event (internal error: broken invariant: !std::exchange(breaks, false)"))
      << world.problems[0];
  EXPECT_TRUE(world.problems[0].ends_with("): Normal Done of Service shop/web"))
      << world.problems[0];
}

TEST(EventRecorder, NeverBlocksAndDropsWhatDoesNotFit) {
  RecorderWorld world;
  world.server.set_closed(true);
  for (int i = 0; i < 1010; ++i) world.record();
  EXPECT_GE(world.recorder.queued(), 999U);
  EXPECT_LE(world.recorder.queued(), 1000U);
  {
    const std::lock_guard guard(world.mutex);
    // The first may be with the server already.
    EXPECT_GE(world.problems.size(), 9U);
    EXPECT_EQ(world.problems.at(0),
              "too many queued events, dropped: Normal Done of Service shop/web");
  }
  world.server.set_closed(false);
  world.recorder.flush();
}

TEST(EventRecorder, TheEndDoesNotWaitForAServerThatIsAway) {
  SystemClock clock;
  EventServer server;
  server.failures = 1'000'000;
  std::atomic<int> problems = 0;
  {
    EventRecorder recorder(
        {.retry_delay = seconds(3600), .on_problem = [&](const std::string&) { ++problems; }},
        server, clock);
    for (int i = 0; i < 3; ++i)
      recorder.record({"v1", "Node", "", "n" + std::to_string(i), "", "", ""}, EventType::Warning,
                      "Gone", "m");
  }
  EXPECT_EQ(problems, 3);
}

}  // namespace
}  // namespace proxima::kube
