// SPDX-License-Identifier: Apache-2.0
// Reports from end to end: a sender that finds the controller through the API server, TLS, tokens
// that the API server reviews.
#include <gtest/gtest.h>

#include <condition_variable>
#include <future>

#include "net/stream_relay.h"
#include "reports/report_sender.h"
#include "reports/report_server.h"
#include "support/embedded_api.h"
#include "support/patience.h"
#include "support/raw_socket.h"
#include "support/tls_exchange.h"

namespace proxima::reports {
namespace {

using testing::eventually;

const kube::ObjectRef kConfigMap{kube::kConfigMaps, "kube-system", "proxima-reports"};

class ReportPathTest : public ::testing::Test {
 protected:
  void serve() {
    auto server =
        ReportServer::start({.address = "127.0.0.1", .advertised = "127.0.0.1"},
                            {.api = embedded_.api(),
                             .clock = clock_,
                             .metrics = metrics_,
                             .take = [this](const NodeReport& report) { return take(report); }});
    ASSERT_TRUE(server) << server.error().message;
    server_ = std::move(*server);
  }
  Result<std::int64_t> take(const NodeReport& report) {
    const std::lock_guard lock(mutex_);
    if (!leads_) return Error{ErrorCode::Retry, "this controller does not lead"};
    taken_.push_back(report);
    return spacing_;
  }
  std::vector<NodeReport> taken() const {
    const std::lock_guard lock(mutex_);
    return taken_;
  }
  void publish() {
    kube::ObjectClient client(embedded_.api());
    const Status done = publish_report_address(client, kConfigMap, server_->reached_at(), {});
    ASSERT_TRUE(done) << done.error().message;
  }
  Result<std::unique_ptr<kube::KubeApi>> connect(const ReportAddress& address,
                                                 const std::string& token) {
    auto admin = kube::find_connection({.kubeconfig = embedded_.kubeconfig()});
    EXPECT_TRUE(admin);
    kube::Connection connection;
    connection.cluster.server = address.url;
    connection.cluster.ca_pem = address.ca_pem;
    connection.user = admin->user;
    if (!token.empty()) {
      connection.user = {};
      connection.user.token = token;
    }
    return kube::connect(connection, {}, {.max_retries = 0}, clock_);
  }
  std::unique_ptr<ReportSender> sender(std::string token = "") {
    return std::make_unique<ReportSender>(
        ReportSenderOptions{"node-1", "first", kConfigMap},
        ReportSenderPorts{
            .api = embedded_.api(),
            .clock = clock_,
            .log = log_,
            .connect = [this,
                        token](const ReportAddress& address) { return connect(address, token); },
            .totals =
                [this] {
                  const std::lock_guard lock(mutex_);
                  return totals_;
                }});
  }
  std::string logged() const {
    const std::lock_guard lock(mutex_);
    return logged_;
  }
  std::string results() const {
    std::string out;
    const std::string text = metrics_.render();
    for (const char* result : {"taken", "denied", "invalid", "failed"}) {
      const std::string series =
          std::string("proxima_node_reports_total{result=\"") + result + "\"} ";
      const auto at = text.find(series);
      if (at == std::string::npos) continue;
      if (text.compare(at + series.size(), 2, "0\n") == 0) continue;
      out += std::string(out.empty() ? "" : ", ") + result + " " +
             text.substr(at + series.size(), text.find('\n', at) - at - series.size());
    }
    return out;
  }

  SystemClock clock_;
  testing::EmbeddedApi embedded_{clock_};
  telemetry::MetricsRegistry metrics_;
  mutable std::mutex mutex_;
  std::string logged_;
  telemetry::Log log_{{}, clock_, [this](std::string_view line) {
                        const std::lock_guard lock(mutex_);
                        logged_ += line;
                      }};
  std::unique_ptr<ReportServer> server_;
  std::vector<NodeReport> taken_;
  ConnectionTotals totals_;
  std::int64_t spacing_ = 1;
  bool leads_ = true;
};

TEST_F(ReportPathTest, AReportArrivesSoonAfterRoutesChanged) {
  serve();
  publish();
  const auto sender_ = sender();
  sender_->start();
  sender_->routed(41, {"shop/web"});
  ASSERT_TRUE(eventually([&] { return !taken().empty(); })) << logged();
  EXPECT_EQ(taken()[0].node, "node-1");
  EXPECT_EQ(taken()[0].slices_version, 41U);
  EXPECT_EQ(taken()[0].unreadable, std::vector<std::string>{"shop/web"});
  {
    const std::lock_guard lock(mutex_);
    totals_ = {{"shop/web", {12, 9}}};
  }
  sender_->routed(42, {});
  ASSERT_TRUE(eventually([&] { return taken().size() == 2; })) << logged();
  EXPECT_EQ(taken()[1].slices_version, 42U);
  EXPECT_EQ(taken()[1].connections, (std::vector<CountedConnections>{{"shop/web", 12, 9}}));
  EXPECT_GT(taken()[1].sequence, taken()[0].sequence);
  EXPECT_EQ(results(), "taken 2");
}

TEST_F(ReportPathTest, AReportIsNotReadBeforeItsSenderIsKnown) {
  serve();
  const std::string post = "POST /node-reports HTTP/1.1\r\nHost: x\r\n";
  const struct {
    const char* name;
    std::string head;
    const char* status;
  } rows[] = {
      {"no token", post, "401"},
      {"a token that nobody knows", post + "Authorization: Bearer wrong\r\n", "403"},
      {"the same one again, which is remembered", post + "Authorization: Bearer wrong\r\n", "403"},
      {"another path", "POST /others HTTP/1.1\r\nHost: x\r\n", "404"},
      {"another method", "PUT /node-reports HTTP/1.1\r\nHost: x\r\n", "405"},
  };
  for (const auto& row : rows) {
    // Nothing of the body is ever sent.
    const std::string refusal =
        support::tls_exchange(server_->reached_at().url, server_->reached_at().ca_pem,
                              row.head + "Content-Length: 2000000\r\n\r\n");
    EXPECT_TRUE(refusal.starts_with(std::string("HTTP/1.1 ") + row.status)) << row.name << refusal;
    EXPECT_NE(refusal.find("Connection: close\r\n"), std::string::npos) << row.name;
  }
  EXPECT_EQ(results(), "denied 3");
}

TEST_F(ReportPathTest, AControllerThatComesLaterIsFound) {
  const auto sender_ = sender();
  sender_->routed(7, {});
  EXPECT_EQ(sender_->send_once(), kReportRetryPeriod);
  EXPECT_NE(logged().find("No controller takes reports"), std::string::npos) << logged();
  serve();
  publish();
  EXPECT_EQ(sender_->send_once(), kReportPeriod);
  ASSERT_EQ(taken().size(), 1U);
  EXPECT_EQ(taken()[0].slices_version, 7U);
}

TEST_F(ReportPathTest, ANewLeaderGetsWhatTheOldOneDidNotAcknowledge) {
  serve();
  publish();
  totals_ = {{"shop/web", {10, 5}}};
  const auto sender_ = sender();
  sender_->routed(7, {});
  ASSERT_EQ(sender_->send_once(), kReportPeriod);
  totals_ = {{"shop/web", {30, 5}}};
  server_.reset();
  EXPECT_EQ(sender_->send_once(), kReportRetryPeriod);
  serve();
  publish();
  EXPECT_EQ(sender_->send_once(), kReportPeriod);
  ASSERT_EQ(taken().size(), 2U);
  EXPECT_EQ(taken()[1].connections, (std::vector<CountedConnections>{{"shop/web", 20, 0}}));
}

TEST_F(ReportPathTest, TheControllerSetsTheSpacing) {
  serve();
  publish();
  spacing_ = 25;
  const auto sender_ = sender();
  EXPECT_EQ(sender_->send_once(), std::chrono::seconds(25));
  spacing_ = 100'000;
  EXPECT_EQ(sender_->send_once(), kReportSpacingMax);
}

TEST_F(ReportPathTest, ATokenThatIsNotValidIsDenied) {
  serve();
  publish();
  const auto sender_ = sender("made-up");
  EXPECT_EQ(sender_->send_once(), kReportRetryPeriod);
  EXPECT_TRUE(taken().empty());
  EXPECT_NE(logged().find("Failed to report to the controller"), std::string::npos) << logged();
  EXPECT_EQ(logged().find("made-up"), std::string::npos) << "a secret";
  EXPECT_EQ(results(), "denied 1");
}

TEST_F(ReportPathTest, AServerWithAnotherCertificateGetsNoToken) {
  serve();
  auto other =
      ReportServer::start({.address = "127.0.0.1", .advertised = "127.0.0.1"},
                          {.api = embedded_.api(),
                           .clock = clock_,
                           .metrics = metrics_,
                           .take = [this](const NodeReport& report) { return take(report); }});
  ASSERT_TRUE(other);
  kube::ObjectClient client(embedded_.api());
  const ReportAddress wrong{(*other)->reached_at().url, server_->reached_at().ca_pem};
  ASSERT_TRUE(publish_report_address(client, kConfigMap, wrong, {}));
  EXPECT_EQ(sender()->send_once(), kReportRetryPeriod);
  EXPECT_TRUE(taken().empty());
  EXPECT_EQ(results(), "") << "it did not come as far as a request";
}

TEST_F(ReportPathTest, AProxyLooksForTheLeaderWhenTheControllerItFoundLeadsNoMore) {
  serve();
  publish();
  const auto proxy = sender();
  EXPECT_EQ(proxy->send_once(), kReportPeriod);
  leads_ = false;
  EXPECT_EQ(proxy->send_once(), kReportRetryPeriod);
  EXPECT_NE(logged().find("503"), std::string::npos) << logged();
  EXPECT_EQ(results(), "taken 1, failed 1");

  leads_ = true;
  const auto standby = std::exchange(server_, nullptr);
  serve();
  publish();
  EXPECT_EQ(proxy->send_once(), kReportPeriod);
  EXPECT_EQ(taken().size(), 2U);
  EXPECT_EQ(taken()[1].sequence, 2U) << "nothing that it counted is lost";
}

TEST_F(ReportPathTest, TheServerRefusesWhatIsNoReport) {
  serve();
  auto controller = connect(server_->reached_at(), "");
  ASSERT_TRUE(controller) << controller.error().message;
  const struct {
    const char* name;
    const char* method;
    const char* path;
    const char* body;
    int status;
  } rows[] = {
      {"another path", "POST", "/metrics", "{}", 404},
      {"a question", "GET", "/node-reports", "", 405},
      {"not JSON", "POST", "/node-reports", "{", 400},
      {"no node", "POST", "/node-reports", R"({"format":1})", 400},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    kube::ApiRequest request;
    request.method = row.method;
    request.path = row.path;
    request.body = row.body;
    const auto answer = (*controller)->send(request, {});
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, row.status) << answer->body;
  }
  EXPECT_TRUE(taken().empty());
  EXPECT_EQ(results(), "invalid 2");
}

// Reviews no token before it may; knows one.
class ReviewsThatWait final : public kube::KubeApi {
 public:
  Result<kube::ApiResponse> send(const kube::ApiRequest& request,
                                 const net::Cancellation&) override {
    std::unique_lock lock(mutex_);
    ++asked_;
    changed_.wait(lock, [this] { return may_answer_; });
    const bool denied = request.body.find(R"("token":"bogus)") != std::string::npos;
    return kube::ApiResponse{201,
                             {},
                             denied ? R"({"status":{"authenticated":false}})"
                                    : R"({"status":{"authenticated":true,"allowed":true,)"
                                      R"("user":{"username":"proxy"}}})"};
  }
  Result<std::unique_ptr<net::HttpStream>> open(const kube::ApiRequest&, std::chrono::milliseconds,
                                                const net::Cancellation&) override {
    return Error{ErrorCode::Unsupported, "not used"};
  }
  int asked() const {
    const std::lock_guard guard(mutex_);
    return asked_;
  }
  void answer() {
    const std::lock_guard guard(mutex_);
    may_answer_ = true;
    changed_.notify_all();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int asked_ = 0;
  bool may_answer_ = false;
};

Result<int> socket_of_a_pod() {
  const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in from = support::loopback(0);
  from.sin_addr.s_addr = htonl(0x7f000002);  // 127.0.0.2
  PROXIMA_CHECK(::bind(made, reinterpret_cast<const sockaddr*>(&from), sizeof from) == 0);
  return made;
}

std::unique_ptr<net::ClientConnection> sent(const net::Url& to, const std::string& ca_pem,
                                            const std::string& request) {
  const auto deadline = net::deadline_after(std::chrono::seconds(10));
  const auto tls = net::TlsContext::for_client({.ca_pem = ca_pem}).value();
  auto connection = net::ClientConnection::create().value();
  EXPECT_TRUE(connection->connect(to, deadline) && connection->start_tls(tls, to.host, deadline) &&
              connection->write(request, deadline));
  return connection;
}

TEST(ReportReviews, OneAddressKeepsNoOtherWaiting) {
  ReviewsThatWait api;
  const SystemClock clock;
  telemetry::MetricsRegistry metrics;
  const auto server = ReportServer::start(
      {.address = "127.0.0.1", .advertised = "127.0.0.1"},
      {.api = api, .clock = clock, .metrics = metrics, .take = [](const NodeReport&) {
         return Result<std::int64_t>(15);
       }});
  ASSERT_TRUE(server);
  const ReportAddress address = (*server)->reached_at();
  auto door = net::ListeningSocket::open("127.0.0.1", 0);
  ASSERT_TRUE(door);
  const net::Url by_pod =
      net::parse_url("https://127.0.0.1:" + std::to_string(door->port())).value();
  const auto relay = net::StreamRelay::create();
  relay->add(std::move(*door), {.make_socket = socket_of_a_pod, .port = (*server)->port()});

  const std::string post =
      "POST /node-reports HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ";
  std::vector<std::unique_ptr<net::ClientConnection>> bogus;
  for (std::size_t i = 0; i < kReportListener.slots_per_address; ++i) {
    bogus.push_back(sent(by_pod, address.ca_pem,
                         post + "bogus-" + std::to_string(i) + "\r\nContent-Length: 9\r\n\r\n"));
    // One is being reviewed, four wait.
    if (i == 0) {
      ASSERT_TRUE(eventually([&] { return api.asked() == 1; }));
    }
  }
  EXPECT_TRUE(eventually(
      [&] { return metrics.render().find("result=\"failed\"} 11\n") != std::string::npos; }));
  const std::string report =
      render(NodeReport{.node = "node-1", .instance = "first", .sequence = 1});
  auto taken = std::async(std::launch::async, [&] {
    return support::tls_exchange(
        address.url, address.ca_pem,
        post + "known\r\nContent-Length: " + std::to_string(report.size()) + "\r\n\r\n" + report);
  });
  api.answer();
  EXPECT_TRUE(taken.get().starts_with("HTTP/1.1 200 OK\r\n"));
}

TEST(ReportAddress, NeedsTlsAndACertificateAuthority) {
  SystemClock clock;
  testing::EmbeddedApi embedded(clock);
  kube::ObjectClient client(embedded.api());
  embedded.create(kube::kConfigMaps, "kube-system",
                  R"({"metadata":{"name":"proxima-reports"},"data":{"url":"http://10.0.0.1:1"}})");
  const auto fetch = [&] { return fetch_report_address(client, kConfigMap, {}).error().message; };
  EXPECT_EQ(fetch(),
            "ConfigMap kube-system/proxima-reports: data.url does not start with https://");
  embedded.merge(kConfigMap, R"({"data":{"url":"https://10.0.0.1:1"}})");
  EXPECT_EQ(fetch(), "ConfigMap kube-system/proxima-reports: data[\"ca.crt\"] is empty");
  embedded.merge(kConfigMap, R"({"data":null})");
  EXPECT_EQ(fetch(), "ConfigMap kube-system/proxima-reports: data is missing");
}

TEST(ReportAddress, ConfigMapsAreNamedWithTheirNamespace) {
  const auto ref = report_config_map("a/b");
  ASSERT_TRUE(ref);
  EXPECT_EQ(ref->ns + " " + ref->name, "a b");
  for (const char* text : {"", "b", "/b", "a/", "a/b/c"}) EXPECT_FALSE(report_config_map(text));
}

}  // namespace
}  // namespace proxima::reports
