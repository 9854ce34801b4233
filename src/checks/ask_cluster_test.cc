// SPDX-License-Identifier: Apache-2.0
#include "checks/ask_cluster.h"

#include <gtest/gtest.h>

#include <map>

#include "base/timestamp.h"
#include "support/fake_clock.h"

namespace proxima::checks {
namespace {

using namespace std::chrono_literals;

// Answers by path, 404 where it knows nothing, and takes time for each request.
class TableApi final : public kube::KubeApi {
 public:
  explicit TableApi(testing::FakeClock& clock) : clock_(clock) {
    answers["/version"] = {
        200, {{"Date", "Sun, 01 Mar 2026 01:00:10 GMT"}}, R"({"gitVersion":"v1.36.4"})"};
  }

  Result<kube::ApiResponse> send(const kube::ApiRequest& request,
                                 const net::Cancellation&) override {
    ++asked[request.path];
    clock_.advance(20ms);
    if (request.method == "POST") return review(request.body);
    const auto found = answers.find(request.path);
    if (found == answers.end()) return kube::ApiResponse{404, {}, "{}"};
    return found->second;
  }
  Result<std::unique_ptr<net::HttpStream>> open(const kube::ApiRequest&, std::chrono::milliseconds,
                                                const net::Cancellation&) override {
    return Error{ErrorCode::Unsupported, "nothing is watched"};
  }

  void put(const std::string& path, std::string body) {
    answers[path] = {200, {}, std::move(body)};
  }

  std::map<std::string, kube::ApiResponse> answers;
  std::map<std::string, int> asked;
  std::string refuses;  // reviews with this text

 private:
  kube::ApiResponse review(const std::string& body) {
    ++reviews_[body];
    EXPECT_EQ(reviews_[body], 1) << "asked twice: " << body;
    const bool allowed = refuses.empty() || body.find(refuses) == std::string::npos;
    return {201, {}, std::string(R"({"status":{"allowed":)") + (allowed ? "true" : "false") + "}}"};
  }

  testing::FakeClock& clock_;
  std::map<std::string, int> reviews_;
};

class AskCluster : public ::testing::Test {
 protected:
  ClusterFacts ask(const ClusterQuestion& question = {.url = "https://api"}) {
    auto facts = ask_cluster(api, question, clock);
    EXPECT_TRUE(facts) << facts.error().message;
    return std::move(facts).value();
  }
  testing::FakeClock clock;
  TableApi api{clock};
};

TEST_F(AskCluster, MeasuresTheServerAndItsClock) {
  const ClusterFacts facts = ask();
  EXPECT_EQ(facts.server.url, "https://api");
  EXPECT_EQ(facts.server.version.minor, 36);
  EXPECT_EQ(facts.server.latencies, std::vector<std::chrono::microseconds>(5, 20ms));
  // The sixth request began 100 ms after the clock's first hour and took 20 ms.
  ASSERT_TRUE(facts.server.clock_ahead);
  EXPECT_EQ(*facts.server.clock_ahead, 10'500ms - 110ms);
  EXPECT_EQ(time_text(facts.server.now), "2026-03-01T01:00:10Z");
}

TEST_F(AskCluster, AServerThatRefusesIsAnErrorAndIsAskedOnce) {
  api.answers["/version"] = {401, {}, R"({"kind":"Status","reason":"Unauthorized"})"};
  const auto facts = ask_cluster(api, {.url = "https://api"}, clock);
  ASSERT_FALSE(facts);
  EXPECT_TRUE(facts.error().message.starts_with("https://api: ")) << facts.error().message;
  EXPECT_EQ(api.asked.size(), 1U);
}

TEST_F(AskCluster, AnEmptyServerHasNothingAndBreaksNothing) {
  const ClusterFacts facts = ask();
  EXPECT_TRUE(facts.refused_rights && facts.refused_rights->empty());
  EXPECT_EQ(facts.nodes.error().code, ErrorCode::NotFound);
  EXPECT_EQ(facts.daemon_sets.error().code, ErrorCode::NotFound);
  EXPECT_TRUE(facts.bypasses && facts.bypasses->empty());
  EXPECT_TRUE(facts.lease && !*facts.lease);
}

TEST_F(AskCluster, ReadsWhatIsThere) {
  api.put("/api/v1/nodes", R"({"items":[{"metadata":{"name":"n1"}}]})");
  api.put("/apis/discovery.k8s.io/v1/endpointslices", R"({"items":[{},{}]})");
  api.put("/apis/apps/v1/daemonsets", R"({"items":[{"metadata":{"name":"kube-proxy"}}]})");
  api.put("/apis/apps/v1/deployments", R"({"items":[{}]})");
  api.put("/api/v1/namespaces/kube-system/pods", R"({"items":[{"metadata":{"name":"kcm"}}]})");
  api.put("/api/v1/namespaces/kube-system/configmaps/cilium-config",
          R"({"metadata":{"name":"c"},"data":{"kube-proxy-replacement":"true"}})");
  api.put("/apis/coordination.k8s.io/v1/namespaces/px/leases/proxima-controller",
          R"({"spec":{"holderIdentity":"me","leaseDurationSeconds":15,
               "acquireTime":"2026-03-01T00:00:00.000000Z","renewTime":"bad"}})");
  const ClusterFacts facts = ask({.url = "https://api", .ns = "px"});
  EXPECT_EQ(facts.nodes->size(), 1U);
  EXPECT_EQ(facts.slices->size(), 2U);
  EXPECT_EQ(facts.daemon_sets->front().name, "kube-proxy");
  EXPECT_EQ(facts.deployments->size(), 1U);
  EXPECT_TRUE(facts.manager_pods->front().runs_slice_controller);
  EXPECT_EQ(facts.bypasses->size(), 1U);
  const LeaseFacts& lease = **facts.lease;
  EXPECT_EQ(lease.name, "px/proxima-controller");
  EXPECT_EQ(lease.holder, "me");
  EXPECT_EQ(lease.duration, 15s);
  EXPECT_TRUE(lease.acquired);
  EXPECT_FALSE(lease.renewed);
}

TEST_F(AskCluster, AsksForNothingThatNoCheckNeeds) {
  ask({.url = "https://api",
       .scope = {.stage = Stage::Before, .component = Component::Proxy, .node = false}});
  EXPECT_EQ(api.asked.count("/apis/apps/v1/deployments"), 0U);
  EXPECT_EQ(api.asked.count("/apis/discovery.k8s.io/v1/endpointslices"), 0U);
  EXPECT_EQ(api.asked["/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"], 18);
}

TEST_F(AskCluster, TellsWhichRightsAreMissingForWhom) {
  api.refuses = R"("subresource":"status")";
  const ClusterFacts facts = ask();
  ASSERT_EQ(facts.refused_rights->size(), 1U);
  EXPECT_EQ(to_text(facts.refused_rights->front()), "patch services/status");
}

TEST(WantedRights, SharedRightsAreThereForBoth) {
  const auto both = wanted_rights(Component::Both, "px");
  EXPECT_EQ(both.size(), wanted_rights(Component::Controller, "px").size() +
                             wanted_rights(Component::Proxy, "px").size());
  std::map<std::string, int> texts;
  for (const Right& right : both) ++texts[to_text(right)];
  EXPECT_EQ(texts["list nodes"], 2);
  EXPECT_EQ(texts["update leases.coordination.k8s.io proxima-controller in px"], 1);
  EXPECT_EQ(texts["post /node-reports"], 1);
  EXPECT_EQ(texts["create events.events.k8s.io"], 2);
}

}  // namespace
}  // namespace proxima::checks
