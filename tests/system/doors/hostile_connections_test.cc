// SPDX-License-Identifier: Apache-2.0
// Every listener of every component under 10,000 connections that mean no good, from one address
// and from as many addresses: who asks properly is answered. How fast is measured in bench/. The
// same with as many requests of somebody known as there are slots.
#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <span>
#include <thread>

#include "apiserver/server.h"
#include "base/check.h"
#include "net/descriptor_limit.h"
#include "proxy/answer_doors.h"
#include "reports/report_server.h"
#include "support/file_text.h"
#include "support/pki.h"
#include "support/raw_socket.h"
#include "support/resident_memory.h"
#include "support/temp_folder.h"
#include "support/tls_exchange.h"
#include "support/web_world.h"
#include "telemetry/status_server.h"
#include "web/web_server.h"

namespace proxima {
namespace {

using support::RawSocket;

constexpr std::size_t kHostile = 10'000;
constexpr std::size_t kAskEvery = 500;
constexpr std::uint32_t kFirstHostile = 0x7f010001;  // 127.1.0.1
// Far more than an answer takes, and less than probes wait or connections are idle.
constexpr std::chrono::seconds kGenerous{5};

enum class Sources { OneAddress, ManyAddresses };

// What they send, and then nothing more.
const std::string kOpenings[] = {
    "",                          // idle
    "GET /livez HTTP/1.1\r\nX",  // a request that does not go on
    "POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf",
    "\x16\x03\x01\x02",  // a handshake that does not go on
};

// What a client of TLS says first. A server that hears it has done its part of the handshake, and
// holds all that a connection needs.
std::string client_hello() {
  const support::RawListener listener;
  auto client = std::async(std::launch::async, [port = listener.port()] {
    const auto deadline = net::deadline_after(std::chrono::seconds(10));
    const auto tls = net::TlsContext::for_client({}).value();
    const auto connection = net::ClientConnection::create().value();
    const net::Url peer = net::parse_url("https://127.0.0.1:" + std::to_string(port)).value();
    if (connection->connect(peer, deadline))
      (void)connection->start_tls(tls, "127.0.0.1", deadline);
  });
  const std::string hello = listener.accept().receive();
  client.get();
  return hello;
}

std::string plain_exchange(std::uint16_t port, const std::string& request) {
  const RawSocket socket = RawSocket::connect(port);
  socket.send(request);
  return socket.receive_all();
}

std::string get(const std::string& path, const std::string& headers = "") {
  return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
}

// Asks while they come, and when all are there.
void attack(std::uint16_t port, Sources sources, const std::function<void()>& wanted,
            std::span<const std::string> openings = kOpenings) {
  const auto ask = [&] {
    const auto begin = std::chrono::steady_clock::now();
    wanted();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kGenerous);
  };
  std::vector<RawSocket> crowd;
  crowd.reserve(kHostile);
  for (std::size_t i = 0; i < kHostile; ++i) {
    const std::size_t host = sources == Sources::ManyAddresses ? i : 0;
    crowd.push_back(
        RawSocket::connect_from(kFirstHostile + static_cast<std::uint32_t>(host), port));
    crowd.back().send(openings[i % openings.size()]);
    if (i % kAskEvery == kAskEvery - 1) ask();
  }
  for (int i = 0; i < 10; ++i) ask();
}

class Listeners : public ::testing::Test {
 protected:
  void SetUp() override {
    if (net::raise_descriptor_limit() < kHostile + 4'096)
      GTEST_SKIP() << "the limit of open files is below " << kHostile + 4'096;
  }
  static void expect_health(const std::string& answer) {
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
    EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos) << answer;
  }
};

class HostileConnections : public Listeners, public ::testing::WithParamInterface<Sources> {};
class HeldSlots : public Listeners {};

proxy::HealthAnswer healthy(std::string_view /*path*/) { return {200, {}, "ok"}; }

TEST_P(HostileConnections, HealthOfANodeProxy) {
  const auto server = proxy::AnswerServer::start({.address = "0.0.0.0"}, healthy);
  ASSERT_TRUE(server);
  const std::uint16_t port = (*server)->port();
  attack(port, GetParam(), [&] { expect_health(plain_exchange(port, get("/healthz"))); });
}

TEST_P(HostileConnections, HealthCheckPortsOfServices) {
  std::uint16_t port = 0;
  {
    const auto other = proxy::AnswerServer::start({.address = "0.0.0.0"}, healthy);
    port = (*other)->port();
  }
  proxy::AnswerDoors doors;
  const auto attacked = doors.open({.address = "127.0.0.1", .port = port}, healthy);
  const auto neighbour = doors.open({.address = "127.0.0.2", .port = port}, healthy);
  ASSERT_TRUE(attacked && neighbour);
  attack(port, GetParam(), [&] {
    expect_health(plain_exchange(port, get("/")));
    const RawSocket socket = RawSocket::connect_to_address(0x7f000002, port);
    socket.send(get("/"));
    expect_health(socket.receive_all());
  });
}

TEST_P(HostileConnections, StatusOfAComponent) {
  const telemetry::MetricsRegistry metrics;
  const auto server = telemetry::StatusServer::start({}, metrics, {});
  ASSERT_TRUE(server);
  const std::uint16_t port = (*server)->port();
  attack(port, GetParam(), [&] {
    for (const char* const path : {"/livez", "/healthz", "/readyz"})
      expect_health(plain_exchange(port, get(path)));
  });
}

TEST_P(HostileConnections, StatusOfAComponentOverTls) {
  const support::Pki pki;
  const telemetry::MetricsRegistry metrics;
  telemetry::StatusServerOptions options;
  options.certificate_pem = pki.server.certificate_pem;
  options.key_pem = pki.server.key_pem;
  const auto server = telemetry::StatusServer::start(options, metrics, {});
  ASSERT_TRUE(server);
  attack((*server)->port(), GetParam(), [&] {
    expect_health(
        support::tls_exchange((*server)->url(), pki.authority.certificate_pem, get("/livez")));
  });
}

// Knows one token.
class ReviewingApi final : public kube::KubeApi {
 public:
  Result<kube::ApiResponse> send(const kube::ApiRequest& request,
                                 const net::Cancellation&) override {
    const bool known = request.body.find(R"("token")") == std::string::npos ||
                       request.body.find(R"("token":"known")") != std::string::npos;
    return kube::ApiResponse{201,
                             {},
                             known ? R"({"status":{"authenticated":true,"allowed":true,)"
                                     R"("user":{"username":"proxy"}}})"
                                   : R"({"status":{"authenticated":false}})"};
  }
  Result<std::unique_ptr<net::HttpStream>> open(const kube::ApiRequest&, std::chrono::milliseconds,
                                                const net::Cancellation&) override {
    return Error{ErrorCode::Unsupported, "not used"};
  }
};

// Handshakes cost most: a slot of TLS holds about 80 kB before anybody has said who they are.
TEST_P(HostileConnections, ReportsOfWhoHasAToken) {
  constexpr std::size_t kMemoryMax = 256U << 20U;
  ReviewingApi api;
  const SystemClock clock;
  telemetry::MetricsRegistry metrics;
  const auto server = reports::ReportServer::start(
      {.address = "127.0.0.1", .advertised = "127.0.0.1"},
      {.api = api, .clock = clock, .metrics = metrics, .take = [](const reports::NodeReport&) {
         return Result<std::int64_t>(15);
       }});
  ASSERT_TRUE(server) << server.error().message;
  const std::string report =
      render(reports::NodeReport{.node = "node-1", .instance = "first", .sequence = 1});
  const std::string request =
      "POST /node-reports HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
      "Authorization: Bearer known\r\nContent-Length: " +
      std::to_string(report.size()) + "\r\n\r\n" + report;
  const std::string hello = client_hello();
  ASSERT_GT(hello.size(), 100U);
  const std::string openings[] = {hello, hello, hello, ""};
  const std::size_t before = support::resident_bytes();
  std::size_t most = before;
  attack((*server)->port(), GetParam(),
         [&] {
           expect_health(support::tls_exchange((*server)->reached_at().url,
                                               (*server)->reached_at().ca_pem, request));
           most = std::max(most, support::resident_bytes());
         },
         openings);
  EXPECT_LT(most - before, kMemoryMax);
}

std::string bearer(const std::string& token) { return "Authorization: Bearer " + token + "\r\n"; }

constexpr const char* kClose = "Connection: close\r\n";

class RunningPage {
 public:
  std::uint16_t port() const { return server_->port(); }
  static std::string get(const std::string& path, const std::string& headers = "") {
    return proxima::get(path, headers + bearer(kToken));
  }

 private:
  static constexpr const char* kToken = "0123456789abcdef0123456789abcdef";
  std::unique_ptr<web::WebServer> start() {
    web::WebServerOptions options;
    options.token = kToken;
    return web::WebServer::start(
               std::move(options),
               {.caches = caches_, .api = api_, .clock = clock_, .log = log_, .live = &source_})
        .value();
  }

  controller::ClusterCaches caches_;
  testing::LabShape shape_{caches_};
  testing::QuietApi api_;
  testing::PlannedSource source_{caches_};
  SystemClock clock_;
  telemetry::Log log_{{}, clock_, [](std::string_view) {}};
  std::unique_ptr<web::WebServer> server_ = start();
};

TEST_P(HostileConnections, TheLivePageForWhoHasItsToken) {
  const RunningPage page;
  attack(page.port(), GetParam(),
         [&] { expect_health(plain_exchange(page.port(), page.get("/", kClose))); });
}

class RunningApi {
 public:
  RunningApi() : loop_([this] { server_->run(); }) {}
  ~RunningApi() {
    server_->stop();
    loop_.join();
  }
  RunningApi(const RunningApi&) = delete;
  RunningApi& operator=(const RunningApi&) = delete;

  std::string url() const { return server_->url(); }
  std::uint16_t port() const { return net::parse_url(url()).value().port; }
  std::string ca() const { return file("ca.crt"); }
  std::string as_admin() const { return bearer(file("admin.token")); }
  std::string as_reader() const { return bearer(file("readonly.token")); }
  std::string exchange(const std::string& request) const {
    return support::tls_exchange(url(), ca(), request);
  }

 private:
  std::string file(const std::string& name) const {
    std::string text = test::file_text(folder_.file("data/pki/" + name));
    if (name.ends_with(".token")) text.pop_back();  // the end of the line
    return text;
  }
  std::unique_ptr<apiserver::Server> start() {
    apiserver::ServerOptions options;
    options.data_directory = folder_.file("data");
    options.port = 0;
    options.durability = apiserver::StoreOptions::Durability::Normal;
    return apiserver::Server::create(std::move(options), clock_).value();
  }

  testing::TempFolder folder_;
  SystemClock clock_;
  std::unique_ptr<apiserver::Server> server_ = start();
  std::thread loop_;
};

TEST_P(HostileConnections, TheApiServerForWhoHasAToken) {
  const RunningApi api;
  attack(api.port(), GetParam(),
         [&] { expect_health(api.exchange(get("/livez", kClose + api.as_admin()))); });
}

INSTANTIATE_TEST_SUITE_P(From, HostileConnections,
                         ::testing::Values(Sources::OneAddress, Sources::ManyAddresses),
                         [](const auto& each) {
                           return each.param == Sources::OneAddress ? "OneAddress"
                                                                    : "ManyAddresses";
                         });

// A watch of the API server.
class Watch {
 public:
  Watch(const RunningApi& api, const net::TlsContext& tls, const std::string& headers) {
    const net::Url url = net::parse_url(api.url()).value();
    PROXIMA_CHECK(connection_->connect(url, deadline()).has_value());
    PROXIMA_CHECK(connection_->start_tls(tls, url.host, deadline()).has_value());
    const std::string request = get("/api/v1/namespaces?watch=true", headers);
    PROXIMA_CHECK(connection_->write(request, deadline()).has_value());
    begun_ = shows("\r\n\r\n") && connection_->input().view().starts_with("HTTP/1.1 200 OK\r\n");
  }
  bool begun() const { return begun_; }
  // False: not before its end.
  bool shows(std::string_view text) {
    while (connection_->input().view().find(text) == std::string_view::npos) {
      const auto count = connection_->read(deadline());
      if (!count || *count == 0) return false;
    }
    return true;
  }

 private:
  static net::Deadline deadline() { return net::deadline_after(std::chrono::seconds(10)); }
  std::unique_ptr<net::ClientConnection> connection_ = net::ClientConnection::create().value();
  bool begun_ = false;
};

TEST_F(HeldSlots, ByWatchesOfTheReaderOfTheApiServer) {
  const RunningApi api;
  const auto tls = net::TlsContext::for_client({.ca_pem = api.ca()}).value();
  Watch of_admin(api, tls, api.as_admin());
  std::vector<std::unique_ptr<Watch>> watches;
  std::size_t begun = 0;
  for (std::size_t i = 0; i < apiserver::kApiListener.slots; ++i) {
    watches.push_back(std::make_unique<Watch>(api, tls, api.as_reader()));
    if (watches.back()->begun()) ++begun;
  }
  EXPECT_EQ(begun, watches.size());
  expect_health(api.exchange(get("/livez", kClose + api.as_admin())));
  const std::string list = api.exchange(get("/api/v1/services", kClose + api.as_admin()));
  EXPECT_TRUE(list.starts_with("HTTP/1.1 200 OK\r\n")) << list;
  EXPECT_NE(list.find("ServiceList"), std::string::npos) << list;
  const std::string shop = R"({"metadata":{"name":"shop"}})";
  const std::string created = api.exchange(
      "POST /api/v1/namespaces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
      (kClose + api.as_admin()) + "Content-Length: " + std::to_string(shop.size()) + "\r\n\r\n" +
      shop);
  EXPECT_TRUE(created.starts_with("HTTP/1.1 201 Created\r\n")) << created;
  EXPECT_TRUE(of_admin.shows("\"shop\"")) << "the oldest watch goes on: the reader has more";
  EXPECT_TRUE(watches.back()->shows("\"shop\"")) << "and so do the youngest of the reader";
  EXPECT_FALSE(watches.front()->shows("\"shop\""));
}

TEST_F(HeldSlots, ByStreamsOfTheLivePage) {
  const RunningPage page;
  const std::size_t each = web::kPageListener.slots_per_address;
  const std::size_t addresses = web::kPageListener.slots / each;
  const auto open_stream = [&](std::size_t address) {
    RawSocket socket =
        RawSocket::connect_from(kFirstHostile + static_cast<std::uint32_t>(address), page.port());
    socket.send(page.get("/api/stream"));
    const std::string head = socket.receive_until("\r\n\r\n");
    EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\n")) << head;
    return socket;
  };
  std::vector<RawSocket> streams;
  for (std::size_t i = 0; i < addresses * each; ++i) streams.push_back(open_stream(i % addresses));
  expect_health(plain_exchange(page.port(), page.get("/", kClose)));
  for (std::size_t address = 0; address <= addresses; ++address)
    streams.push_back(open_stream(address));
}

}  // namespace
}  // namespace proxima
