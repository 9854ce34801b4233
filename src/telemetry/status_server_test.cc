// SPDX-License-Identifier: Apache-2.0
#include "telemetry/status_server.h"

#include <gtest/gtest.h>

#include <future>

#include "net/certificates.h"
#include "net/http_client.h"
#include "support/raw_socket.h"
#include "telemetry/page_worker.h"

namespace proxima::telemetry {
namespace {

net::HttpResponse ask(const std::string& origin, const std::string& target,
                      const std::string& method = "GET", const std::string& ca_pem = "") {
  auto client = net::HttpClient::create({.origin = origin, .tls = {.ca_pem = ca_pem}});
  EXPECT_TRUE(client.has_value());
  auto answer = net::fetch(**client, {.method = method, .target = target}, {}, {});
  EXPECT_TRUE(answer.has_value()) << answer.error().message;
  return std::move(answer).value();
}

std::unique_ptr<StatusServer> serve(const MetricsRegistry& metrics, StatusPages pages) {
  auto server = StatusServer::start({}, metrics, std::move(pages));
  EXPECT_TRUE(server.has_value());
  return std::move(server).value();
}

Result<std::string> echo(const std::vector<net::QueryParameter>& query) {
  if (query.empty()) return std::string("{}");
  if (query[0].name == "missing") return Error{ErrorCode::NotFound, "no Service a/b"};
  if (query[0].name == "bad") return Error{ErrorCode::InvalidInput, "service: no name"};
  if (query[0].name == "early") return Error{ErrorCode::Retry, "no plan yet"};
  return Error{ErrorCode::Unsupported, "no such thing"};
}

// "reader" may get pages, "nobody" nothing; the API server does not answer about "lost".
Status by_token(const AccessRequest& access) {
  if (access.token == "lost") return Error{ErrorCode::Retry, "TokenReview: no answer"};
  if (access.token == "reader" && access.verb == "get") return Unit{};
  return Error{ErrorCode::Denied, "user \"" + access.token + "\" cannot " + access.verb +
                                      " path \"" + access.path + "\""};
}

struct AccessRow {
  const char* name;
  const char* method;
  const char* target;
  const char* token;
  int status;
};

// As for a client on another machine: all clients of a test are on this one.
TEST(StatusServer, ShowsOthersHealthAndMetricsAndTheRestToBearersOfTokens) {
  const AccessRow rows[] = {
      {"alive", "GET", "/livez", "", 200},
      {"alive, by another name", "GET", "/healthz?verbose", "", 200},
      {"ready", "GET", "/readyz", "", 200},
      {"metrics", "GET", "/metrics", "", 200},
      {"what became of health checks", "GET", "/metrics/slis", "", 200},
      {"a page", "GET", "/debug/plan", "", 401},
      {"a page that answers for itself", "GET", "/flagz", "", 401},
      {"to reset what was counted", "DELETE", "/metrics/slis", "", 401},
      {"to post to health", "POST", "/livez", "", 401},
      {"the list of paths", "GET", "/", "", 401},
      {"what there is not", "GET", "/nothing", "", 401},
      {"a page, with a token", "GET", "/debug/plan", "reader", 200},
      {"its head", "HEAD", "/debug/plan", "reader", 200},
      {"the list of paths, with a token", "GET", "/", "reader", 200},
      {"what there is not, with a token", "GET", "/nothing", "reader", 404},
      {"to reset, with a token that may only read", "DELETE", "/metrics/slis", "reader", 403},
      {"a page, with a token that may nothing", "GET", "/debug/plan", "nobody", 403},
      {"a page, while nobody knows", "GET", "/debug/plan", "lost", 503},
      {"metrics, with a token that may nothing", "GET", "/metrics", "nobody", 200},
  };
  MetricsRegistry metrics;
  StatusServerOptions options;
  options.loopback = LoopbackClients::Untrusted;
  options.authorize = by_token;
  const auto server = StatusServer::start(options, metrics,
                                          {.pages = {{.path = "/debug/plan", .answer = echo},
                                                     {.path = "/flagz", .respond = [](const auto&) {
                                                        return net::HttpResponse{.status = 200};
                                                      }}}});
  ASSERT_TRUE(server);
  const auto client = net::HttpClient::create({.origin = (*server)->url()});
  for (const AccessRow& row : rows) {
    net::HttpRequest request{.method = row.method, .target = row.target};
    if (*row.token != '\0')
      request.headers.add("Authorization", std::string("Bearer ") + row.token);
    const auto answer = net::fetch(**client, request, {}, {});
    ASSERT_TRUE(answer) << row.name << ": " << answer.error().message;
    EXPECT_EQ(answer->status, row.status) << row.name << ": " << answer->body;
  }
}

TEST(StatusServer, WithoutAnybodyToAskNoTokenIsGood) {
  MetricsRegistry metrics;
  StatusServerOptions options;
  options.loopback = LoopbackClients::Untrusted;
  const auto server = StatusServer::start(options, metrics, {});
  ASSERT_TRUE(server);
  EXPECT_EQ(ask((*server)->url(), "/").status, 401);
  EXPECT_EQ(ask((*server)->url(), "/livez").status, 200);
}

TEST(StatusServer, HealthAnswersEndTheConnection) {
  MetricsRegistry metrics;
  const auto server = serve(metrics, {});
  for (const char* const path : {"/livez", "/healthz", "/readyz"}) {
    const support::RawSocket socket = support::RawSocket::connect(server->port());
    socket.send(std::string("GET ") + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_NE(socket.receive_all().find("Connection: close\r\n"), std::string::npos) << path;
  }
}

struct PathRow {
  const char* name;
  const char* method;
  const char* target;
  int status;
  const char* content_type;
  std::string body;
};

TEST(StatusServer, AnswersHealthMetricsAndPages) {
  MetricsRegistry metrics;
  metrics.counter("syncs_total", "h").add(3);
  const auto server =
      serve(metrics, {.ready = {{"leader",
                                 [] {
                                   return Status(Error{ErrorCode::Retry, "no leader"});
                                 }}},
                      .pages = {{.path = "/debug/plan", .answer = echo}}});
  constexpr auto kText = "text/plain; charset=utf-8";
  constexpr auto kJson = "application/json";
  const PathRow rows[] = {
      {"alive", "GET", "/livez", 200, kText, "ok"},
      {"the old name of it", "GET", "/healthz", 200, kText, "ok"},
      {"every check", "GET", "/livez?verbose", 200, kText, "[+]ping ok\nlivez check passed\n"},
      {"not ready", "GET", "/readyz", 500, kText,
       "[+]ping ok\n[-]leader failed: reason withheld\nreadyz check failed\n"},
      {"why", "GET", "/readyz/leader", 500, kText, "internal server error: no leader\n"},
      {"metrics", "GET", "/metrics", 200, "text/plain; version=0.0.4; charset=utf-8",
       "# HELP syncs_total h\n# TYPE syncs_total counter\nsyncs_total 3\n"},
      {"a page", "GET", "/debug/plan", 200, kJson, "{}"},
      {"what is not there", "GET", "/debug/plan?missing", 404, kText, "no Service a/b\n"},
      {"what cannot be asked", "GET", "/debug/plan?bad", 400, kText, "service: no name\n"},
      {"too early", "GET", "/debug/plan?early", 503, kText, "no plan yet\n"},
      {"any other error", "GET", "/debug/plan?else", 500, kText, "no such thing\n"},
      {"a query that is none", "GET", "/debug/plan?a=%zz", 400, kText,
       "the query cannot be read\n"},
      {"what there is", "GET", "/", 200, kJson,
       "{\"paths\":[\"/debug/plan\",\"/healthz\",\"/livez\",\"/metrics\",\"/metrics/slis\","
       "\"/readyz\"]}\n"},
      {"no such page", "GET", "/readyzz", 404, kText, "404 page not found\n"},
      {"nothing can be changed", "POST", "/metrics", 405, kText, "Method Not Allowed\n"},
      {"only the header", "HEAD", "/healthz", 200, kText, ""},
  };
  for (const PathRow& row : rows) {
    const auto answer = ask(server->url(), row.target, row.method);
    EXPECT_EQ(answer.status, row.status) << row.name;
    EXPECT_EQ(answer.body, row.body) << row.name;
    EXPECT_EQ(answer.headers.find("Content-Type"), row.content_type) << row.name;
  }
}

TEST(StatusServer, CountsHealthChecksUntilItIsToldToForget) {
  MetricsRegistry metrics;
  const auto server = serve(metrics, {});
  ask(server->url(), "/livez");
  ask(server->url(), "/livez/ping");
  const auto counted = ask(server->url(), "/metrics/slis");
  EXPECT_EQ(counted.headers.find("Content-Type"), kMetricsContentType);
  constexpr auto kOnce =
      R"(kubernetes_healthchecks_total{name="ping",status="success",type="livez"} 1)";
  EXPECT_NE(counted.body.find(kOnce), std::string::npos) << counted.body;
  EXPECT_EQ(ask(server->url(), "/metrics").body.find("kubernetes_"), std::string::npos);
  EXPECT_EQ(ask(server->url(), "/metrics/slis", "DELETE").body, "metrics reset\n");
  const std::string after = ask(server->url(), "/metrics/slis").body;
  EXPECT_EQ(after.find("kubernetes_healthcheck{"), std::string::npos) << after;
  EXPECT_EQ(ask(server->url(), "/metrics/slis", "POST").status, 405);
}

TEST(StatusServer, APageMaySeeTheRequestItself) {
  MetricsRegistry metrics;
  const auto server =
      serve(metrics, {.pages = {{.path = "/echo", .respond = [](const net::HttpRequest& request) {
                                   return net::HttpResponse{
                                       .status = 202,
                                       .headers = {},
                                       .body = request.method + " " + request.target};
                                 }}}});
  const auto answer = ask(server->url(), "/echo?a=b", "PUT");
  EXPECT_EQ(answer.status, 202);
  EXPECT_EQ(answer.body, "PUT /echo?a=b");
}

TEST(StatusServer, IsHealthyWhileAPageTakesItsTime) {
  MetricsRegistry metrics;
  std::promise<void> begun;
  std::promise<void> finish;
  const auto slow = [&](const auto&) -> Result<std::string> {
    begun.set_value();
    finish.get_future().wait();
    return std::string("done");
  };
  const auto server = serve(metrics, {.pages = {{.path = "/slow", .answer = slow}}});
  auto page = std::async(std::launch::async, [&] { return ask(server->url(), "/slow").body; });
  begun.get_future().wait();
  EXPECT_EQ(ask(server->url(), "/livez").body, "ok");
  finish.set_value();
  EXPECT_EQ(page.get(), "done");
}

TEST(StatusServer, SpeaksTls) {
  const auto authority = net::make_authority({.common_name = "test-ca"});
  ASSERT_TRUE(authority.has_value());
  const auto pair =
      net::make_server_certificate(*authority, {.common_name = "proxima", .names = {"127.0.0.1"}});
  ASSERT_TRUE(pair.has_value());
  MetricsRegistry metrics;
  auto server = StatusServer::start(
      {.certificate_pem = pair->certificate_pem, .key_pem = pair->key_pem}, metrics, {});
  ASSERT_TRUE(server.has_value());
  EXPECT_TRUE((*server)->url().starts_with("https://127.0.0.1:"));
  EXPECT_EQ(ask((*server)->url(), "/readyz", "GET", authority->certificate_pem).body, "ok");
}

TEST(StatusServer, AnAddressThatIsTakenIsNamed) {
  MetricsRegistry metrics;
  const auto first = serve(metrics, {});
  const auto second = StatusServer::start({.port = first->port()}, metrics, {});
  ASSERT_FALSE(second.has_value());
  EXPECT_NE(second.error().message.find("127.0.0.1:" + std::to_string(first->port())),
            std::string::npos)
      << second.error().message;
}

TEST(PageWorker, RefusesWhatItCouldNotDoSoonAndWhatComesTooLate) {
  std::promise<void> begun;
  std::promise<void> finish;
  PageWorker worker([] {});
  const auto first = worker.begin([&] {
    begun.set_value();
    finish.get_future().wait();
    return net::HttpResponse{.status = 200};
  });
  begun.get_future().wait();
  std::shared_ptr<PageJob> last;
  for (std::size_t i = 0; i < PageWorkerLimits{}.waiting; ++i)
    last = worker.begin([] { return net::HttpResponse{.status = 200}; });
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(worker.begin([] { return net::HttpResponse{}; }), nullptr);
  auto stopping = std::async(std::launch::async, [&] { worker.stop(); });
  finish.set_value();
  stopping.get();
  EXPECT_TRUE(first->done && last->done);
  EXPECT_EQ(first->response.status, 200);
  EXPECT_EQ(worker.begin([] { return net::HttpResponse{}; }), nullptr);
}

}  // namespace
}  // namespace proxima::telemetry
