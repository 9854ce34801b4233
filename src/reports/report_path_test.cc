// SPDX-License-Identifier: Apache-2.0
// Reports from end to end: a sender that finds the controller through the API server, TLS, tokens
// that the API server reviews.
#include <gtest/gtest.h>

#include "reports/report_sender.h"
#include "reports/report_server.h"
#include "support/embedded_api.h"
#include "support/patience.h"
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
  std::int64_t take(const NodeReport& report) {
    const std::lock_guard lock(mutex_);
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
