// SPDX-License-Identifier: Apache-2.0
// What takes its time, with the time as an argument: the other deeds are in lab_cluster_test.
#include "agents/pod_keeper.h"

#include <gtest/gtest.h>

#include "kube/cache.h"
#include "support/fake_clock.h"
#include "support/kube_records.h"

namespace proxima::agents {
namespace {

using std::chrono::seconds;

// Accepts everything and remembers it.
class AcceptingApi final : public kube::KubeApi {
 public:
  Result<kube::ApiResponse> send(const kube::ApiRequest& request,
                                 const net::Cancellation&) override {
    const std::lock_guard lock(mutex_);
    requests_ += request.method + " " + request.path + "\n";
    bodies_ += request.body;
    return kube::ApiResponse{200, {}, "{}"};
  }
  Result<std::unique_ptr<net::HttpStream>> open(const kube::ApiRequest&, std::chrono::milliseconds,
                                                const net::Cancellation&) override {
    return Error{ErrorCode::Denied, "nothing is watched here"};
  }
  std::string take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(requests_, {});
  }
  std::string bodies() {
    const std::lock_guard lock(mutex_);
    return bodies_;
  }

 private:
  std::mutex mutex_;
  std::string requests_, bodies_;
};

class NoMachines final : public LabMachines, public LabPrograms {
 public:
  Result<MachineAddresses> add_node(const std::string&) override { return none(); }
  Status remove_node(const std::string&) override { return none(); }
  Status set_power(const std::string&, Power) override { return none(); }
  Result<MachineAddresses> add_pod(const std::string&, const std::string&) override {
    return none();
  }
  Status remove_pod(const std::string&) override { return none(); }
  Status start_backend(const PodPlace&, std::uint16_t) override { return none(); }
  void stop_backend(const std::string&) override {}
  void cut_backend(const std::string&) override {}
  Status start_client(const PodPlace&) override { return none(); }
  void stop_client(const std::string&) override {}
  void set_targets(const std::vector<ServiceTarget>&) override {}
  void set_demand(double, const std::map<std::string, double>&) override {}

 private:
  static Error none() { return {ErrorCode::Denied, "there are no machines"}; }
};

class PodKeeperTest : public ::testing::Test {
 protected:
  // A pass so long after the first; says when the next is due.
  Clock::SteadyTime pass_at(seconds after) {
    Agenda agenda(kBegin + after);
    keeper_.pass({pods_.snapshot(), nodes_.snapshot(), {}, kBegin + after, {}}, {lab_, gone_},
                 agenda);
    return agenda.next();
  }

  static constexpr Clock::SteadyTime kBegin{seconds(1000)};
  testing::FakeClock clock_;
  AcceptingApi server_;
  LabApi api_{server_, seconds(1)};
  NoMachines machines_;
  WriteBook book_;
  kube::EventRecorder events_{{}, server_, clock_};
  telemetry::Log log_{{}, clock_, [](std::string_view) {}};
  LabHooks hooks_;
  PodKeeper keeper_{{api_, machines_, machines_, book_, events_, log_, hooks_}};
  testing::RecordMaker maker_;
  kube::Cache<kube::PodRecord> pods_;
  kube::Cache<kube::NodeRecord> nodes_;
  std::map<std::string, LabNode> lab_;
  std::map<std::string, Clock::SteadyTime> gone_;
};

TEST(Agenda, HasWhatIsNextAndNothingThatIsOver) {
  const Clock::SteadyTime now{seconds(10)};
  Agenda agenda(now);
  agenda.at(now - seconds(1));
  agenda.at(now);
  EXPECT_EQ(agenda.next(), Clock::SteadyTime::max());
  agenda.at(now + seconds(2));
  agenda.at(now + seconds(1));
  agenda.at(now + seconds(3));
  EXPECT_EQ(agenda.next(), now + seconds(1));
}

TEST_F(PodKeeperTest, APodOfANodeThatNeverCameIsRemovedAfterAWhile) {
  auto pod = maker_.pod("shop/web", "");
  pod->node = Text("nowhere");
  pods_.put(pod);
  EXPECT_EQ(pass_at(seconds(0)), kBegin + seconds(10));
  EXPECT_EQ(pass_at(seconds(9)), kBegin + seconds(10)) << "the node may be on its way";
  EXPECT_EQ(server_.take(), "");
  pass_at(seconds(10));
  EXPECT_EQ(server_.take(), "DELETE /api/v1/namespaces/shop/pods/web\n");
  EXPECT_EQ(pass_at(seconds(11)), Clock::SteadyTime::max()) << "nothing is due any more";
  EXPECT_EQ(server_.take(), "") << "the cache will show it";
}

TEST_F(PodKeeperTest, APodOfANodeThatWasDeletedIsRemovedAtOnce) {
  auto pod = maker_.pod("shop/web", "");
  pod->node = Text("node-1");
  pods_.put(pod);
  gone_["node-1"] = kBegin;
  pass_at(seconds(0));
  EXPECT_EQ(server_.take(), "DELETE /api/v1/namespaces/shop/pods/web\n");
}

TEST_F(PodKeeperTest, WhyNobodyTakesAPodIsToldOnce) {
  auto pod = maker_.pod("shop/web", "");
  pod->phase = model::PodPhase::Pending;
  pods_.put(pod);
  EXPECT_EQ(pass_at(seconds(0)), kBegin + seconds(3)) << "nodes may be on their way";
  events_.flush();
  EXPECT_EQ(server_.take(), "");
  for (const int second : {3, 4, 60}) pass_at(seconds(second));
  events_.flush();
  EXPECT_EQ(server_.take(), "POST /api/v1/namespaces/shop/events\n");
  EXPECT_NE(server_.bodies().find("0/0 nodes are available"), std::string::npos);
}

TEST_F(PodKeeperTest, APodIsPlacedOnceThoughTheCacheIsLate) {
  nodes_.put(maker_.node("node-1", "topology.kubernetes.io/zone=a"));
  nodes_.put(maker_.node("node-2", "topology.kubernetes.io/zone=a"));
  lab_["node-1"].zone = lab_["node-2"].zone = "a";
  for (const char* name : {"shop/one", "shop/two"}) {
    auto pod = maker_.pod(name, "");
    pod->phase = model::PodPhase::Pending;
    pods_.put(pod);
  }
  pass_at(seconds(0));
  EXPECT_EQ(server_.take(),
            "POST /api/v1/namespaces/shop/pods/one/binding\n"
            "POST /api/v1/namespaces/shop/pods/two/binding\n");
  EXPECT_NE(server_.bodies().find("node-1"), std::string::npos);
  EXPECT_NE(server_.bodies().find("node-2"), std::string::npos) << "the first is counted";
  pass_at(seconds(1));
  EXPECT_EQ(server_.take(), "");
}

}  // namespace
}  // namespace proxima::agents
