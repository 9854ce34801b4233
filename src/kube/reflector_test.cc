// SPDX-License-Identifier: Apache-2.0
#include "kube/reflector.h"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <map>
#include <mutex>

#include "support/fake_clock.h"

namespace proxima::kube {
namespace {

struct Answer {
  int status = 200;
  std::vector<std::string> pieces;
  bool cut = false;  // instead of a proper end
};

class FakeStream final : public net::HttpStream {
 public:
  explicit FakeStream(Answer answer) : answer_(std::move(answer)) {}
  int status() const override { return answer_.status; }
  const net::HttpHeaders& headers() const override { return headers_; }
  Result<std::string_view> read() override {
    if (at_ < answer_.pieces.size()) return std::string_view(answer_.pieces[at_++]);
    if (answer_.cut) return Error{ErrorCode::Retry, "cut"};
    return std::string_view();
  }

 private:
  Answer answer_;
  net::HttpHeaders headers_;
  std::size_t at_ = 0;
};

// Gives prepared answers, notes what was asked, and cancels when it has no more to say.
class FakeApi final : public KubeApi {
 public:
  Result<ApiResponse> send(const ApiRequest&, const net::Cancellation&) override {
    return Error{ErrorCode::Unsupported, "not here"};
  }
  Result<std::unique_ptr<net::HttpStream>> open(const ApiRequest& request,
                                                std::chrono::milliseconds,
                                                const net::Cancellation& cancellation) override {
    if (answers.empty()) {
      cancellation.cancel();
      return Error{ErrorCode::Retry, "cancelled"};
    }
    std::string text = request.path;
    for (const auto& parameter : request.query)
      if (parameter.name != "timeoutSeconds" && parameter.name != "allowWatchBookmarks")
        text += " " + parameter.name + "=" + parameter.value;
    asked.push_back(text);
    if (look) looks += look() ? "current " : "behind ";
    auto stream = std::make_unique<FakeStream>(std::move(answers.front()));
    answers.pop_front();
    return std::unique_ptr<net::HttpStream>(std::move(stream));
  }

  std::deque<Answer> answers;
  std::vector<std::string> asked;
  std::function<bool()> look;  // at each request
  std::string looks;
};

std::string ns(const std::string& name, int version) {
  return R"({"metadata":{"name":")" + name + R"(","uid":"u","resourceVersion":")" +
         std::to_string(version) + R"("}})";
}
std::string list(const std::string& items, int version, const std::string& token = "") {
  return R"({"kind":"NamespaceList","metadata":{"resourceVersion":")" + std::to_string(version) +
         R"(","continue":")" + token + R"("},"items":[)" + items + "]}";
}
std::string event(const std::string& type, const std::string& object) {
  return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

class ReflectorTest : public ::testing::Test {
 protected:
  std::string run(std::deque<Answer> answers) {
    api_.answers = std::move(answers);
    ReflectorOptions options;
    options.on_problem = [this](const wire::Problem& p) { problems_.push_back(to_text(p)); };
    options.on_failure = [this](const Error& e) { failures_.push_back(e.message); };
    Reflector<NamespaceRecord> reflector(api_, clock_, kNamespaces, cache_, options);
    reflector.run(net::Cancellation());
    std::string held;
    cache_.snapshot().each([&](const auto& record) {
      held += (held.empty() ? "" : " ") + to_text(record->key()) + "@" +
              std::to_string(record->meta.version);
    });
    return held;
  }

  testing::FakeClock clock_;
  FakeApi api_;
  Cache<NamespaceRecord> cache_;
  std::vector<std::string> problems_;
  std::vector<std::string> failures_;
};

TEST_F(ReflectorTest, ListsInPagesWatchesAndResumes) {
  EXPECT_EQ(run({{200, {list(ns("a", 1) + "," + ns("b", 2), 5, "more")}},
                 {200, {list(ns("c", 3), 5)}},
                 {200,
                  {event("MODIFIED", ns("a", 6)), event("DELETED", ns("b", 7)) + "{\"type\":\"ADD",
                   "ED\",\"object\":" + ns("d", 8) + "}\n" + event("BOOKMARK", ns("", 20))}},
                 {200, {event("ADDED", ns("e", 21))}, true}}),
            "a@6 c@3 d@8 e@21");
  EXPECT_EQ(api_.asked, (std::vector<std::string>{
                            "/api/v1/namespaces limit=500 resourceVersion=0",
                            "/api/v1/namespaces limit=500 continue=more",
                            "/api/v1/namespaces watch=true resourceVersion=5",
                            "/api/v1/namespaces watch=true resourceVersion=20",
                        }));
  EXPECT_TRUE(cache_.has_synced());
}

TEST_F(ReflectorTest, ListsAgainWhenItsPlaceIsGone) {
  const std::string gone = R"({"kind":"Status","code":410,"reason":"Expired","message":"too old"})";
  EXPECT_EQ(run({{200, {list(ns("a", 1) + "," + ns("b", 2), 5)}},
                 {200, {event("ADDED", ns("c", 6)) + event("ERROR", gone)}},
                 {200, {list(ns("b", 2) + "," + ns("c", 9), 10)}},
                 {410, {gone}},
                 {200, {list(ns("c", 9), 11)}}}),
            "c@9");
  EXPECT_EQ(api_.asked[2], "/api/v1/namespaces resourceVersion=6");
  EXPECT_EQ(api_.asked[4], "/api/v1/namespaces resourceVersion=10");
}

TEST_F(ReflectorTest, TellsWhetherTheCacheFollowsTheServer) {
  api_.look = [this] { return cache_.freshness().is_current(clock_.steady_now()); };
  run({{200, {list(ns("a", 1), 5)}},
       {200, {event("ADDED", ns("b", 6))}, true},
       {410, {}},
       {200, {list(ns("a", 1), 9)}},
       {200, {event("ADDED", ns("c", 10))}}});
  // A list, a watch that is cut, one that comes too late, a list, a watch.
  EXPECT_EQ(api_.looks, "behind current behind behind current ");
}

TEST_F(ReflectorTest, KeepsWhatItHadOfAnUnreadableObjectAndGoesOn) {
  EXPECT_EQ(run({{200, {list(ns("a", 1) + R"(,{"metadata":{"name":"b","annotations":3}})", 5)}},
                 {200, {event("ADDED", ns("c", 6))}}}),
            "a@1 b@0 c@6");
  ASSERT_EQ(problems_.size(), 1U);
  EXPECT_EQ(problems_[0], "Namespace b: metadata.annotations: not an object");
}

TEST_F(ReflectorTest, KeepsTheOldSliceWhenTheNewOneCannotBeRead) {
  Cache<EndpointSliceRecord> cache;
  const std::string good =
      R"({"metadata":{"name":"s","resourceVersion":"3"},"addressType":"IPv4"})";
  const std::string bad = R"({"metadata":{"name":"s","resourceVersion":"8"},"addressType":"IPX"})";
  api_.answers = {
      {200, {list(good, 5)}}, {200, {event("MODIFIED", bad)}}, {410, {}}, {200, {list(bad, 9)}}};
  std::string problem;
  ReflectorOptions options;
  options.on_problem = [&](const wire::Problem& p) { problem = to_text(p); };
  Reflector<EndpointSliceRecord>(api_, clock_, kEndpointSlices, cache, options)
      .run(net::Cancellation());
  ASSERT_TRUE(cache.snapshot().find({"", "s"}));
  EXPECT_EQ(cache.snapshot().find({"", "s"})->meta.version, 3U);
  EXPECT_EQ(problem, "EndpointSlice s: addressType: not IPv4, IPv6 or FQDN: \"IPX\"");
}

TEST_F(ReflectorTest, DoesNotTrustAListWithNamelessItemsUntilItStaysSo) {
  const std::string odd = list(ns("a", 2) + ",{}", 6);
  EXPECT_EQ(run({{200, {list(ns("a", 1) + "," + ns("b", 1), 5)}},
                 {410, {}},
                 {200, {odd}},
                 {200, {odd}},
                 {200, {odd}},
                 {200, {event("DELETED", ns("b", 7))}}}),
            "a@2");
  EXPECT_EQ(api_.asked.size(), 6U);
  EXPECT_EQ(api_.asked[5], "/api/v1/namespaces watch=true resourceVersion=6");
}

TEST_F(ReflectorTest, WaitsLongerAfterEachFailureInARow) {
  run({{500, {}}, {500, {}}, {500, {}}, {500, {}}});
  const auto waits = clock_.waits();
  ASSERT_EQ(waits.size(), 4U);
  for (std::size_t i = 0; i < waits.size(); ++i) {
    EXPECT_GE(waits[i], std::chrono::milliseconds(800) * (1 << i));
    EXPECT_LT(waits[i], std::chrono::milliseconds(1600) * (1 << i));
  }
  EXPECT_EQ(failures_[0],
            "namespaces: an error on the server has prevented the request from succeeding (500 "
            "InternalError)");
}

TEST_F(ReflectorTest, EndsAtOnceWhenItIsCancelled) {
  net::Cancellation cancellation;
  cancellation.cancel();
  Reflector<NamespaceRecord> reflector(api_, clock_, kNamespaces, cache_, {});
  reflector.run(cancellation);
  EXPECT_TRUE(api_.asked.empty());
}

}  // namespace
}  // namespace proxima::kube
