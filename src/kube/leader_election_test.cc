// SPDX-License-Identifier: Apache-2.0
#include "kube/leader_election.h"

#include <gtest/gtest.h>

#include <array>
#include <boost/json.hpp>

#include "kube/fenced_api.h"
#include "support/fake_clock.h"

namespace proxima::kube {
namespace {

namespace json = boost::json;
using std::chrono::seconds;
using testing::FakeClock;

constexpr const char* kPath = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";

// An API server with one Lease.
class LeaseServer final : public KubeApi {
 public:
  Result<ApiResponse> send(const ApiRequest& request, const net::Cancellation&) override {
    ++requests;
    if (down) return Error{ErrorCode::Retry, "connection refused"};
    if (request.path != kPath && request.path != std::string(kPath) + "/leader")
      return ApiResponse{200, {}, "{}"};
    if (request.method == "GET") return lease ? answer(200) : ApiResponse{404, {}, ""};
    if (garbled) return ApiResponse{200, {}, *garbled};
    json::object object = json::parse(request.body).as_object();
    json::object& metadata = object["metadata"].as_object();
    if (request.method == "POST" && lease) return ApiResponse{409, {}, ""};
    if (request.method == "PUT" && metadata["resourceVersion"].as_string() != version())
      return ApiResponse{409, {}, ""};
    ++version_;
    metadata["resourceVersion"] = version();
    lease = std::move(object);
    return answer(request.method == "POST" ? 201 : 200);
  }
  Result<std::unique_ptr<net::HttpStream>> open(const ApiRequest&, std::chrono::milliseconds,
                                                const net::Cancellation&) override {
    return Error{ErrorCode::Unsupported, "no streams"};
  }
  // Another holder writes.
  void hold(const std::string& holder) {
    ++version_;
    lease = json::object{{"metadata", json::object{{"name", "leader"},
                                                   {"labels", json::object{{"keep", "me"}}},
                                                   {"resourceVersion", version()}}},
                         {"spec", json::object{{"holderIdentity", holder},
                                               {"leaseDurationSeconds", 15},
                                               {"leaseTransitions", 1}}}};
  }
  std::string spec(const char* key) const {
    return json::serialize(lease->at("spec").as_object().at(key));
  }

  std::optional<json::object> lease;
  bool down = false;
  std::optional<std::string> garbled;  // the response to writes, by something in between
  int requests = 0;

 private:
  std::string version() const { return std::to_string(version_); }
  ApiResponse answer(int status) const { return {status, {}, json::serialize(*lease)}; }
  int version_ = 0;
};

// One elector whose waits are the moments at which a test looks and acts.
struct LeaderWorld {
  LeaderWorld() {
    LeaderCallbacks callbacks;
    callbacks.on_started_leading = [this](LeadershipGuard given) {
      log += "started ";
      guard = given;
    };
    callbacks.on_stopped_leading = [this] { log += "stopped "; };
    callbacks.on_new_leader = [this](const std::string& who) { log += "leader:" + who + " "; };
    callbacks.on_error = [this](const std::string& message) { error = message; };
    elector = LeaderElector::create(
                  {.ns = "kube-system", .name = "leader", .election = {.identity = "me"}}, server,
                  clock, std::move(callbacks))
                  .value();
  }
  // Runs until `act`, called in every wait, says true.
  void run_until(std::function<bool()> act) {
    const auto latest = clock.steady_now() + seconds(300);
    clock.during_wait([this, act = std::move(act), latest] {
      if (act() || clock.steady_now() > latest) cancellation.cancel();
    });
    elector->run(cancellation);
  }
  seconds elapsed() const { return std::chrono::floor<seconds>(clock.steady_now() - started); }

  FakeClock clock;
  Clock::SteadyTime started = clock.steady_now();
  LeaseServer server;
  net::Cancellation cancellation;
  std::optional<LeadershipGuard> guard;
  std::string log, error;
  std::unique_ptr<LeaderElector> elector;
};

TEST(LeaderElector, LeadsRenewsAndGivesTheLeaseBack) {
  LeaderWorld world;
  world.run_until([&] {
    EXPECT_TRUE(world.guard->valid());
    return world.elapsed() >= seconds(60);
  });
  EXPECT_EQ(world.log, "leader:me started stopped ");
  EXPECT_FALSE(world.guard->valid());
  EXPECT_EQ(world.server.spec("holderIdentity"), "\"\"");
  EXPECT_EQ(world.server.spec("leaseDurationSeconds"), "1");
  EXPECT_EQ(world.server.spec("leaseTransitions"), "0");
  // Read, create, a renewal every two seconds, and read and write at the end.
  EXPECT_EQ(world.server.requests, 2 + 29 + 2);
}

TEST(LeaderElector, DoesNotLeadByAnAnswerThatIsNoLease) {
  const auto errors = std::to_array<std::pair<std::string, std::string>>(
      {{"<html>", "response body is not a JSON object"},
       {"{}", "the answer is not the Lease that was written"},
       {R"({"spec":{"holderIdentity":"another"}})",
        "the answer is not the Lease that was written"}});
  for (const auto& [body, error] : errors) {
    SCOPED_TRACE(body);
    LeaderWorld world;
    world.server.garbled = body;
    world.run_until([&] { return world.elapsed() >= seconds(60); });
    EXPECT_EQ(world.log, "");
    EXPECT_EQ(world.error, "writing Lease kube-system/leader: " + error);
  }
}

TEST(LeaderElector, StopsWritingBeforeAnotherMayLead) {
  LeaderWorld world;
  FencedApi* fenced = nullptr;
  std::unique_ptr<FencedApi> made;
  world.run_until([&] {
    if (!made) {
      made = std::make_unique<FencedApi>(world.server, *world.guard);
      fenced = made.get();
    }
    world.server.down = world.elapsed() >= seconds(20);
    // The last renewal was at 18 s or so; the guard is over 10 s later, the lease 15 s later.
    EXPECT_EQ(world.guard->valid(), world.elapsed() < seconds(28)) << world.elapsed().count();
    return world.elapsed() >= seconds(40);
  });
  EXPECT_EQ(world.log, "leader:me started stopped ");
  world.server.down = false;
  const auto refused = fenced->send({"POST", "/api/v1/namespaces/a/pods"}, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Denied);
  EXPECT_TRUE(fenced->send({"GET", "/api/v1/pods"}, {}));
  EXPECT_NE(world.error.find("connection refused"), std::string::npos);
}

TEST(LeaderElector, TakesOverFromALeaderThatIsGone) {
  LeaderWorld world;
  world.server.hold("other");
  world.run_until([&] {
    if (world.log.find("started") == std::string::npos) return false;
    EXPECT_GE(world.elapsed(), seconds(15));
    EXPECT_LE(world.elapsed(), seconds(20));
    EXPECT_EQ(world.server.spec("leaseTransitions"), "2");
    EXPECT_EQ(world.server.lease->at("metadata").at("labels").at("keep").as_string(), "me");
    return true;
  });
  EXPECT_EQ(world.log, "leader:other leader:me started stopped ");
}

TEST(LeaderElector, LeadsAgainUnderANewGuard) {
  LeaderWorld world;
  std::optional<LeadershipGuard> first;
  world.run_until([&] {
    if (!first) first = world.guard;
    world.server.down = world.elapsed() >= seconds(10) && world.elapsed() < seconds(30);
    return world.elapsed() >= seconds(60);
  });
  EXPECT_EQ(world.log, "leader:me started stopped started stopped ");
  EXPECT_FALSE(first->valid());
}

TEST(LeaderElector, StopsWhenSomebodyElseHoldsTheLease) {
  LeaderWorld world;
  world.run_until([&] {
    if (world.elapsed() >= seconds(4)) {
      if (world.log.find("other") == std::string::npos) world.server.hold("other");
      return world.elapsed() >= seconds(8);
    }
    return false;
  });
  EXPECT_EQ(world.log, "leader:me started stopped leader:other ");
  EXPECT_EQ(world.server.spec("holderIdentity"), "\"other\"");
}

TEST(FencedApi, CutsWritesToWhatIsLeft) {
  FakeClock clock;
  const auto leadership = std::make_shared<Leadership>(clock);
  const LeadershipGuard guard(leadership, leadership->lead_until(clock.steady_now() + seconds(3)));

  class Recorder final : public KubeApi {
   public:
    Result<ApiResponse> send(const ApiRequest& request, const net::Cancellation&) override {
      timeouts.push_back(request.timeout);
      return ApiResponse{200, {}, ""};
    }
    Result<std::unique_ptr<net::HttpStream>> open(const ApiRequest& request,
                                                  std::chrono::milliseconds,
                                                  const net::Cancellation&) override {
      timeouts.push_back(request.timeout);
      return Error{ErrorCode::Unsupported, ""};
    }
    std::vector<std::chrono::milliseconds> timeouts;
  } recorder;
  FencedApi fenced(recorder, guard);
  EXPECT_TRUE(fenced.send({"PUT", "/a"}, {}));
  EXPECT_TRUE(fenced.send({"PUT", "/a", {}, {}, {}, seconds(1)}, {}));
  EXPECT_TRUE(fenced.send({"PUT", "/a", {}, {}, {}, seconds(9)}, {}));
  EXPECT_TRUE(fenced.send({"GET", "/a"}, {}));
  EXPECT_EQ(recorder.timeouts, (std::vector<std::chrono::milliseconds>{seconds(3), seconds(1),
                                                                       seconds(3), seconds(0)}));
  clock.advance(seconds(3));
  EXPECT_FALSE(fenced.send({"DELETE", "/a"}, {}));
  EXPECT_FALSE(fenced.open({"PATCH", "/a"}, seconds(1), {}));
  const auto refused = ObjectClient(fenced).create({kPods, "a", "b"}, "{}", {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, kNotSent);
  EXPECT_EQ(to_error(refused.error()).code, ErrorCode::Denied);
  EXPECT_EQ(recorder.timeouts.size(), 4U);
  // A later term of the same process is another one.
  leadership->lead_until(clock.steady_now() + seconds(10));
  EXPECT_FALSE(guard.valid());
}

TEST(NewIdentity, IsTheHostAndSomethingNew) {
  const auto one = new_identity("node-1");
  const auto two = new_identity("node-1");
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->substr(0, 7), "node-1_");
  EXPECT_EQ(one->size(), 7U + 36U);
  EXPECT_NE(*one, *two);
}

}  // namespace
}  // namespace proxima::kube
