// SPDX-License-Identifier: Apache-2.0
#include "telemetry/status_server.h"

#include <gtest/gtest.h>

#include <future>

#include "base/check.h"
#include "net/certificates.h"
#include "net/http_client.h"
#include "support/fake_clock.h"
#include "support/patience.h"
#include "support/raw_socket.h"
#include "support/resident_memory.h"
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

std::string get(const std::string& path, const std::string& token) {
  return "GET " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\n\r\n";
}

std::string status_of(const support::RawSocket& socket) {
  return socket.receive_until("\r\n\r\n").substr(0, 12);
}

// Somebody who asks about tokens, and nobody is answered before the test lets them.
class ReviewsThatWait {
 public:
  ~ReviewsThatWait() { answer(); }
  Status authorize(const AccessRequest& access) {
    ++begun;
    answer_.wait();
    return by_token(access);
  }
  void answer() {
    if (!std::exchange(is_answered_, true)) answered_.set_value();
  }
  std::atomic<int> begun = 0;

 private:
  std::promise<void> answered_;
  std::shared_future<void> answer_ = answered_.get_future().share();
  bool is_answered_ = false;
};

constexpr std::uint32_t kPod = 0x7f000002;         // 127.0.0.2
constexpr std::uint32_t kAnotherPod = 0x7f000003;  // 127.0.0.3

TEST(StatusServer, NobodyKeepsTheTokensOfOthersWaiting) {
  MetricsRegistry metrics;
  ReviewsThatWait reviews;
  StatusServerOptions options;
  options.loopback = LoopbackClients::Untrusted;
  options.authorize = [&](const AccessRequest& access) { return reviews.authorize(access); };
  options.remembered = [](const AccessRequest& access) -> std::optional<Status> {
    if (access.token == "known") return Status(Unit{});
    return std::nullopt;
  };
  const auto server =
      StatusServer::start(options, metrics, {.pages = {{.path = "/page", .answer = echo}}});
  ASSERT_TRUE(server);
  const std::uint16_t port = (*server)->port();
  std::vector<support::RawSocket> bogus;
  for (int i = 0; i < 30; ++i) {
    bogus.push_back(support::RawSocket::connect_from(kPod, port));
    bogus.back().send(get("/page", "bogus-" + std::to_string(i)));
    // The first is being reviewed, and four wait.
    if (i == 0) {
      ASSERT_TRUE(proxima::testing::eventually([&] { return reviews.begun == 1; }));
    }
    if (i > 4) {
      EXPECT_NE(bogus.back().receive_all().find("too many tokens"), std::string::npos) << i;
    }
    if (HasFailure()) break;
  }
  const auto other = support::RawSocket::connect_from(kAnotherPod, port);
  other.send(get("/page", "reader"));
  const auto known = support::RawSocket::connect_from(kPod, port);
  known.send(get("/page", "known"));
  EXPECT_EQ(status_of(known), "HTTP/1.1 200") << "who is known waits for no review";
  reviews.answer();
  EXPECT_EQ(status_of(other), "HTTP/1.1 200");
  EXPECT_EQ(status_of(bogus[0]), "HTTP/1.1 403");
}

TEST(StatusServer, ARequestWithAGoodTokenIsNotClosedForNewcomers) {
  MetricsRegistry metrics;
  std::promise<void> begun;
  std::promise<void> finish;
  const auto slow = [&](const auto&) -> Result<std::string> {
    begun.set_value();
    finish.get_future().wait();
    return std::string("done");
  };
  StatusServerOptions options;
  options.loopback = LoopbackClients::Untrusted;
  options.authorize = by_token;
  const auto server =
      StatusServer::start(options, metrics, {.pages = {{.path = "/slow", .answer = slow}}});
  ASSERT_TRUE(server);
  const std::uint16_t port = (*server)->port();
  const auto known = support::RawSocket::connect_from(kPod, port);
  known.send(get("/slow", "reader"));
  begun.get_future().wait();
  std::vector<support::RawSocket> crowd;
  for (std::size_t i = 0; i < kStatusListener.slots + 10; ++i)
    crowd.push_back(support::RawSocket::connect_from(kAnotherPod + static_cast<unsigned>(i), port));
  crowd.back().send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(status_of(crowd.back()), "HTTP/1.1 200");
  finish.set_value();
  EXPECT_NE(known.receive_until("done").find("HTTP/1.1 200"), std::string::npos);
}

// Metrics of some megabytes, that count how often they are made.
class ManyMetrics {
 public:
  ManyMetrics() {
    const auto family = registry.counters({"flows_total", "h", {"name"}});
    for (int i = 0; i < 4000; ++i) family.with({std::to_string(i) + std::string(1000, 'x')}).add(1);
    registry.before_rendering([this] { ++rendered; });
  }
  MetricsRegistry registry;
  std::atomic<int> rendered = 0;
};

class SharedMetrics : public ::testing::Test {
 protected:
  SharedMetrics() {
    StatusServerOptions options;
    options.loopback = LoopbackClients::Untrusted;
    options.now = [this] { return clock_.steady_now(); };
    auto server = StatusServer::start(options, metrics_.registry, {});
    EXPECT_TRUE(server);
    server_ = std::move(*server);
  }
  std::size_t scrape() { return ask(server_->url(), "/metrics").body.size(); }

  ManyMetrics metrics_;
  proxima::testing::FakeClock clock_;
  std::unique_ptr<StatusServer> server_;
};

TEST_F(SharedMetrics, AreMadeOnceASecondForEverybody) {
  for (int i = 0; i < 100; ++i) EXPECT_GT(scrape(), 4'000'000U);
  EXPECT_EQ(metrics_.rendered, 1);
  clock_.advance(std::chrono::milliseconds(999));
  scrape();
  EXPECT_EQ(metrics_.rendered, 1);
  clock_.advance(std::chrono::milliseconds(1));
  scrape();
  EXPECT_EQ(metrics_.rendered, 2);
}

TEST_F(SharedMetrics, ArePackedForWhoAcceptsIt) {
  const auto fetch = [&](const std::string& header) {
    const auto socket = support::RawSocket::connect(server_->port());
    socket.send("GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + header + "\r\n");
    return socket.receive_all();
  };
  EXPECT_GT(fetch("").size(), 4'000'000U);
  const std::string packed = fetch("Accept-Encoding: gzip\r\n");
  EXPECT_NE(packed.find("Content-Encoding: gzip\r\n"), std::string::npos);
  EXPECT_LT(packed.size(), 1'000'000U);
  EXPECT_EQ(metrics_.rendered, 1);
}

TEST_F(SharedMetrics, AreInMemoryOnceHoweverManyDoNotReadThem) {
  constexpr std::size_t kReaders = 200;
  scrape();
  const std::size_t before = support::resident_bytes();
  std::vector<support::RawSocket> readers;
  for (std::size_t i = 0; i < kReaders; ++i) {
    const auto address = kPod + static_cast<std::uint32_t>(i);
    readers.push_back(support::RawSocket::connect_from(address, server_->port()));
    readers.back().send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
  }
  for (const auto& reader : readers) {
    char byte = 0;
    EXPECT_EQ(::recv(reader.descriptor(), &byte, 1, MSG_PEEK), 1) << "it is being sent";
  }
  EXPECT_LT(support::resident_bytes() - before, 100U << 20U) << "200 of 4 MB would be 800 MB";
  EXPECT_EQ(metrics_.rendered, 1);
}

// Before and after something happened.
TEST(StatusServer, ShowsTheNewestMetricsOnTheSameMachine) {
  MetricsRegistry metrics;
  const auto counter = metrics.counter("things_total", "h");
  const auto server = serve(metrics, {});
  for (int i = 1; i < 20; ++i) {
    counter.add(1);
    EXPECT_NE(ask(server->url(), "/metrics").body.find("things_total " + std::to_string(i) + "\n"),
              std::string::npos);
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

TEST(StatusServer, PacksLongPagesOnTheThreadThatMakesThem) {
  MetricsRegistry metrics;
  const std::string text(4U << 20U, 'x');
  const auto server = serve(
      metrics, {.pages = {{.path = "/long", .answer = [&](const auto&) { return Result(text); }}}});
  const auto socket = support::RawSocket::connect(server->port());
  socket.send(
      "GET /long HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n");
  const std::string packed = socket.receive_all();
  EXPECT_NE(packed.find("Content-Encoding: gzip\r\n"), std::string::npos);
  EXPECT_LT(packed.size(), text.size() / 10);
  EXPECT_EQ(ask(server->url(), "/long").body, text);
}

TEST(StatusServer, AnInternalErrorCostsThePageItHappensTo) {
  MetricsRegistry metrics;
  std::atomic<bool> broken = true;
  std::mutex mutex;
  std::string told;
  metrics.before_rendering([&] { PROXIMA_CHECK(!broken); });
  StatusServerOptions options;
  options.broke_down = [&](const std::string& what) {
    const std::lock_guard guard(mutex);
    told += what + "; ";
  };
  const auto fails = [](const auto&) -> Result<std::string> { throw std::runtime_error("torn"); };
  const auto started =
      StatusServer::start(options, metrics, {.pages = {{.path = "/torn", .answer = fails}}});
  ASSERT_TRUE(started);
  const std::string url = (*started)->url();
  for (const char* const path : {"/torn", "/metrics"}) {
    const auto answer = ask(url, path);
    EXPECT_EQ(answer.status, 500) << path;
    EXPECT_TRUE(answer.body.starts_with("internal error: ")) << answer.body;
  }
  EXPECT_EQ(ask(url, "/livez").body, "ok");
  broken = false;
  EXPECT_EQ(ask(url, "/metrics").status, 200);
  const std::lock_guard guard(mutex);
  EXPECT_TRUE(told.starts_with("exception: torn; broken invariant: !broken (")) << told;
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
  std::vector<std::shared_ptr<PageJob>> waiting;
  for (std::size_t i = 0; i < PageWorkerLimits{}.waiting; ++i)
    waiting.push_back(worker.begin([] { return net::HttpResponse{.status = 200}; }));
  const auto last = waiting.back();
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(worker.begin([] { return net::HttpResponse{}; }), nullptr);
  auto stopping = std::async(std::launch::async, [&] { worker.stop(); });
  finish.set_value();
  stopping.get();
  EXPECT_TRUE(first->done && last->done);
  EXPECT_EQ(first->response.status, 200);
  EXPECT_EQ(worker.begin([] { return net::HttpResponse{}; }), nullptr);
}

TEST(PageWorker, ForgetsWhatNobodyWaitsFor) {
  std::promise<void> begun;
  std::promise<void> finish;
  PageWorker worker([] {}, {.waiting = 2});
  const auto first = worker.begin([&] {
    begun.set_value();
    finish.get_future().wait();
    return net::HttpResponse{.status = 200};
  });
  begun.get_future().wait();
  const auto body = std::make_shared<std::string>(1'000'000, 'x');
  const std::weak_ptr<std::string> held = body;
  std::atomic<int> made = 0;
  for (int i = 0; i < 100; ++i) {
    const auto left = worker.begin([&made, body] {
      ++made;
      return net::HttpResponse{.status = 200};
    });
    EXPECT_NE(left, nullptr) << "those that left take no place";
  }
  EXPECT_EQ(body.use_count(), 1) << "what they sent is gone with them";
  const auto stays = worker.begin([&] {
    ++made;
    return net::HttpResponse{.status = 200};
  });
  finish.set_value();
  ASSERT_NE(stays, nullptr);
  EXPECT_TRUE(proxima::testing::eventually([&] { return stays->done.load(); }));
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace proxima::telemetry
