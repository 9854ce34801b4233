// SPDX-License-Identifier: Apache-2.0
#include "kube/http_api.h"

#include <gtest/gtest.h>

#include <deque>

#include "kube/object_client.h"
#include "support/dripping_server.h"
#include "support/fake_clock.h"
#include "support/fake_http_client.h"

namespace proxima::kube {
namespace {

using net::HttpResponse;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::FakeClock;
using testing::FakeNetwork;

// Credentials that a test changes.
struct Held {
  Credentials now;
  std::optional<Credentials> next;  // after a refusal
  int refusals = 0;
};
class HeldSource final : public CredentialSource {
 public:
  explicit HeldSource(Held& held) : held_(held) {}
  Result<Credentials> current(const net::Cancellation&) override { return held_.now; }
  void refuse(const Credentials&) override {
    ++held_.refusals;
    if (held_.next) held_.now = *held_.next;
  }

 private:
  Held& held_;
};

// An API whose server answers with what is in the row; the last answer is repeated.
struct HttpApiWorld {
  explicit HttpApiWorld(std::deque<HttpResponse> row, HttpApiOptions options = {})
      : answers(std::move(row)), network([this](const net::HttpRequest&) -> Result<HttpResponse> {
          HttpResponse answer = answers.front();
          if (answers.size() > 1) answers.pop_front();
          return answer;
        }) {
    Connection connection;
    connection.cluster.server = "https://api:6443";
    connection.origin = "test";
    connection.user.impersonation = {"jane", "", {"dev"}, {{"Scopes/x", {"a"}}}};
    options.on_warning = [this](std::string_view text) { warnings.emplace_back(text); };
    api = std::make_unique<HttpApi>(
        connection, std::make_unique<HeldSource>(held), options, clock,
        [this](net::HttpClientOptions wanted) { return network.make_client(std::move(wanted)); });
  }
  Result<ApiResponse> get(milliseconds timeout = milliseconds(0)) {
    return api->send({"GET", "/api/v1/pods", {{"limit", "5"}}, {}, {}, timeout}, cancellation);
  }
  std::string header(std::size_t exchange, std::string_view name) const {
    return std::string(network.exchanges.at(exchange).request.headers.find(name).value_or("-"));
  }

  FakeClock clock;
  net::Cancellation cancellation;
  std::deque<HttpResponse> answers;
  std::vector<std::string> warnings;
  Held held{{"Bearer one", "", ""}, std::nullopt, 0};
  FakeNetwork network;
  std::unique_ptr<HttpApi> api;
};

HttpResponse ok(std::string body = "{}") { return {200, {}, std::move(body)}; }
HttpResponse later(int status, const char* when) {
  return {status, {{"Retry-After", when}}, "wait"};
}

TEST(HttpApi, SaysWhoAsksAndWhatItReads) {
  HttpApiWorld world({ok("whole body")});
  const auto answer = world.get();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "whole body");
  EXPECT_EQ(world.network.exchanges.at(0).request.target, "/api/v1/pods?limit=5");
  EXPECT_EQ(world.header(0, "authorization"), "Bearer one");
  EXPECT_EQ(world.header(0, "accept"), "application/json");
  EXPECT_EQ(world.header(0, "accept-encoding"), "-");  // the client's business
  EXPECT_EQ(world.header(0, "impersonate-user"), "jane");
  EXPECT_EQ(world.header(0, "impersonate-group"), "dev");
  EXPECT_EQ(world.header(0, "impersonate-extra-scopes%2Fx"), "a");
  EXPECT_EQ(world.header(0, "content-type"), "-");
}

TEST(HttpApi, ComesBackWhenTheServerSaysWhen) {
  HttpApiWorld world({later(429, "2"), later(503, "1"), ok()});
  const auto answer = world.get();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  const auto waits = world.clock.waits();
  ASSERT_EQ(waits.size(), 2U);
  EXPECT_GE(waits[0], seconds(2));  // later than asked, never earlier
  EXPECT_LE(waits[0], milliseconds(2400));
  EXPECT_GE(waits[1], seconds(1));
}

TEST(HttpApi, TakesA5xxWithoutAWordForTheAnswer) {
  HttpApiWorld world({{500, {}, "no"}});
  EXPECT_EQ(world.get()->status, 500);
  EXPECT_EQ(world.network.exchanges.size(), 1U);
}

TEST(HttpApi, GivesUpAfterTenRepetitions) {
  HttpApiWorld world({later(429, "0")}, {.limits = {.qps = 0}});
  const auto answer = world.get();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 429);
  EXPECT_EQ(world.network.exchanges.size(), 11U);
}

TEST(HttpApi, CutsAnAbsurdRetryAfter) {
  HttpApiWorld world({later(503, "86400"), ok()});
  EXPECT_EQ(world.get()->status, 200);
  EXPECT_LE(world.clock.waits().at(0), seconds(72));
}

TEST(HttpApi, StopsWaitingWhenCancelled) {
  HttpApiWorld world({later(429, "30")});
  world.clock.during_wait([&] { world.cancellation.cancel(); });
  const auto answer = world.get();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::Retry);
  EXPECT_EQ(world.network.exchanges.size(), 1U);
}

TEST(HttpApi, TriesOnceMoreWithNewerCredentials) {
  HttpApiWorld world({{401, {}, "who?"}, ok()});
  world.held.next = Credentials{"Bearer two", "", ""};
  EXPECT_EQ(world.get()->status, 200);
  EXPECT_EQ(world.header(1, "authorization"), "Bearer two");
}

TEST(HttpApi, HandsOutTheRefusalWhenNothingNewerIsThere) {
  HttpApiWorld world({{401, {}, "who?"}});
  EXPECT_EQ(world.get()->status, 401);
  EXPECT_EQ(world.network.exchanges.size(), 1U);
  EXPECT_EQ(world.held.refusals, 1);

  HttpApiWorld twice({{401, {}, "who?"}});
  twice.held.next = Credentials{"Bearer two", "", ""};
  EXPECT_EQ(twice.get()->status, 401);
  EXPECT_EQ(twice.network.exchanges.size(), 2U);
}

TEST(HttpApi, MakesANewClientOnlyWhenCertificatesChange) {
  HttpApiWorld world({ok()});
  EXPECT_TRUE(world.get());
  world.held.now.authorization = "Bearer other";
  EXPECT_TRUE(world.get());
  EXPECT_EQ(world.network.clients_made, 1);
  world.held.now.certificate_pem = "CERT";
  EXPECT_TRUE(world.get());
  EXPECT_EQ(world.network.clients_made, 2);
  EXPECT_EQ(world.network.exchanges.at(2).client.tls.certificate_pem, "CERT");
}

TEST(HttpApi, AStreamOutlivesTheClientItCameFrom) {
  HttpApiWorld world({ok("abc")});
  auto stream = world.api->open({"GET", "/x"}, seconds(5), {});
  ASSERT_TRUE(stream);
  EXPECT_EQ(world.network.exchanges.at(0).deadlines.idle, seconds(5));
  world.held.now.certificate_pem = "CERT";
  EXPECT_TRUE(world.get());
  EXPECT_EQ(*(*stream)->read(), "ab");
}

TEST(HttpApi, ATimeoutBoundsTheServerTheClientAndTheRetries) {
  HttpApiWorld world({ok()});
  EXPECT_TRUE(world.get(milliseconds(1500)));
  EXPECT_EQ(world.network.exchanges.at(0).request.target, "/api/v1/pods?limit=5&timeout=1500ms");
  EXPECT_EQ(world.network.exchanges.at(0).deadlines.answer, milliseconds(1500));
  EXPECT_EQ(world.network.exchanges.at(0).deadlines.total, milliseconds(1500));
  EXPECT_TRUE(world.get());
  EXPECT_EQ(world.network.exchanges.at(1).deadlines.total, std::nullopt) << "as of a watch";

  HttpApiWorld busy({later(429, "2")});
  EXPECT_EQ(busy.get(milliseconds(1500))->status, 429);
  EXPECT_TRUE(busy.clock.waits().empty());
}

TEST(HttpApi, ATimeoutEndsAnAnswerThatComesAByteAtATime) {
  const support::DrippingServer server;
  Connection connection;
  connection.cluster.server = server.origin();
  Held held;
  SystemClock clock;
  HttpApi api(connection, std::make_unique<HeldSource>(held), {}, clock, net::HttpClient::create);
  const auto answer = api.send({.path = "/x", .timeout = milliseconds(200)}, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::Retry);
  EXPECT_NE(answer.error().message.find("timed out"), std::string::npos) << answer.error().message;
}

TEST(HttpApi, RepeatsEachWarningOnce) {
  HttpApiWorld world({{200, {{"Warning", R"(299 - "a is old", 299 - "b \"q\"")"}}, ""}});
  EXPECT_TRUE(world.get());
  EXPECT_TRUE(world.get());
  EXPECT_EQ(world.warnings, (std::vector<std::string>{"a is old", "b \"q\""}));
}

TEST(HttpApi, AnAnswerThatIsTooLongIsAnError) {
  HttpApiWorld world({ok(std::string(100, 'x'))}, {.max_body = 99});
  EXPECT_FALSE(world.get());
}

TEST(WarningHeader, LeavesOutWhatIsBroken) {
  const std::pair<const char*, std::size_t> rows[] = {
      {R"(299 - "a")", 1}, {R"(299 host:1 "a" "date")", 1},
      {R"(199 - "a")", 0}, {R"(299 - "a" "date", 299 - "b")", 2},
      {R"(299 - "a)", 0},  {R"(299 - a)", 0},
      {"299", 0},          {"", 0},
      {R"(299 - "a\)", 0}, {R"(299 - "", 299 - "b")", 1},
  };
  for (const auto& [value, count] : rows)
    EXPECT_EQ(parse_warning_header(value).size(), count) << value;
  EXPECT_EQ(parse_warning_header("299 - \"a\x1b[2J\"").at(0), "a [2J");
}

const ObjectRef kLease{kLeases, "kube-system", "leader"};

TEST(ObjectClient, WritesWithTheRightMethodAndType) {
  HttpApiWorld world({ok("{}")});
  ObjectClient client(*world.api);
  EXPECT_EQ(*client.get(kLease, {}), "{}");
  EXPECT_TRUE(client.create(kLease, "{}", {}));
  EXPECT_TRUE(client.update(kLease, "{}", {}));
  EXPECT_TRUE(client.update_status(kLease, "{}", {}));
  EXPECT_TRUE(client.patch(kLease, PatchKind::Merge, "{}", {}));
  EXPECT_TRUE(client.patch(kLease, PatchKind::Json, "[]", {}));
  EXPECT_TRUE(client.patch(kLease, PatchKind::Strategic, "{}", {}));
  EXPECT_TRUE(client.remove(kLease, {.uid = "u1", .resource_version = "7"}, {}));
  const std::string base = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  const char* rows[][3] = {
      {"GET", "/leader", "-"},
      {"POST", "", "application/json"},
      {"PUT", "/leader", "application/json"},
      {"PUT", "/leader/status", "application/json"},
      {"PATCH", "/leader", "application/merge-patch+json"},
      {"PATCH", "/leader", "application/json-patch+json"},
      {"PATCH", "/leader", "application/strategic-merge-patch+json"},
      {"DELETE", "/leader", "application/json"},
  };
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    EXPECT_EQ(world.network.exchanges.at(i).request.method, rows[i][0]);
    EXPECT_EQ(world.network.exchanges.at(i).request.target, base + rows[i][1]);
    EXPECT_EQ(world.header(i, "content-type"), rows[i][2]);
  }
  EXPECT_EQ(
      world.network.exchanges.at(7).request.body,
      R"({"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"u1","resourceVersion":"7"}})");
}

TEST(ObjectClient, RejectsASuccessWhoseBodyIsNotAnObject) {
  for (const char* body : {"", "[]", "null", R"({"kind":"List","items":[{"metadata)"}) {
    HttpApiWorld world({ok(body)});
    const auto answer = ObjectClient(*world.api).remove(kLease, {}, {});
    ASSERT_FALSE(answer) << body;
    EXPECT_EQ(answer.error().status, 0);
    EXPECT_EQ(answer.error().message, "response body is not a JSON object");
  }
}

TEST(ObjectClient, TellsATakenNameFromAStaleUpdate) {
  HttpApiWorld taken({{409, {}, R"({"kind":"Status","reason":"AlreadyExists"})"}});
  const auto refused = ObjectClient(*taken.api).create(kLease, "{}", {});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(is_already_exists(refused.error()));
  EXPECT_FALSE(is_conflict(refused.error()));

  HttpApiWorld stale({{409, {}, R"({"kind":"Status","reason":"Conflict"})"}});
  const auto conflict = ObjectClient(*stale.api).update(kLease, "{}", {});
  ASSERT_FALSE(conflict);
  EXPECT_TRUE(is_conflict(conflict.error()));
  EXPECT_FALSE(is_already_exists(conflict.error()));
}

}  // namespace
}  // namespace proxima::kube
