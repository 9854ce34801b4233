// SPDX-License-Identifier: Apache-2.0
#include "reports/report_server.h"

#include <thread>

#include "kube/access_review.h"
#include "net/certificates.h"
#include "net/http_server.h"
#include "reports/report_sender.h"
#include "telemetry/page_worker.h"
#include "telemetry/plain_response.h"

namespace proxima::reports {
namespace {

using telemetry::plain_response;

constexpr std::chrono::milliseconds kStopWithin{1000};
constexpr std::chrono::hours kCertificateLife{24 * 365 * 10};
// Reports that wait for the worker; beyond that proxies try again later.
constexpr std::size_t kWaitingMax = 256;
// Of them tokens from one address: anybody may show some, and each costs a question.
constexpr std::size_t kReviewsOfAddressMax = 4;
constexpr std::string_view kBearer = "Bearer ";

std::string host_in_url(const std::string& address) {
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

kube::AccessedPath report_access() { return {.path = std::string(kReportPath), .verb = "post"}; }

class Server final : public ReportServer, private net::HttpHandler {
 public:
  explicit Server(ReportServerPorts ports)
      : ports_(std::move(ports)),
        access_({.audience = std::string(kReportAudience)}, ports_.api, ports_.clock),
        results_(ports_.metrics.counters(
            {.name = "proxima_node_reports_total",
             .help = "Reports of node proxies, by result: taken, denied, invalid or failed.",
             .labels = {"result"}})),
        reviews_([this] { server_->wake(); }, {.waiting = kWaitingMax,
                                               .waiting_per_asker = kReviewsOfAddressMax,
                                               .broke_down = ports_.broke_down}),
        worker_([this] { server_->wake(); },
                {.waiting = kWaitingMax, .broke_down = ports_.broke_down}) {
    // Shown from the start, so that an alert need not know which series are missing.
    for (const char* result : {"taken", "denied", "invalid", "failed"}) results_.with({result});
  }

  ~Server() override {
    stopping_.cancel();
    reviews_.stop();
    worker_.stop();
    if (!server_) return;
    server_->stop(kStopWithin);
    if (loop_.joinable()) loop_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Status listen(const ReportServerOptions& options) {
    PROXIMA_TRY(const net::CertificateAndKey authority,
                net::make_authority({.common_name = "proxima-reports",
                                     .organization = {},
                                     .names = {},
                                     .valid_for = kCertificateLife}),
                "certificate authority of reports");
    PROXIMA_TRY(const net::CertificateAndKey own,
                net::make_server_certificate(authority, {.common_name = "proxima-controller",
                                                         .organization = {},
                                                         .names = {options.advertised},
                                                         .valid_for = kCertificateLife}),
                "certificate for " + options.advertised);
    net::HttpServerOptions http;
    http.address = options.address;
    http.port = options.port;
    http.certificate_pem = own.certificate_pem;
    http.key_pem = own.key_pem;
    http.policy = kReportListener;
    PROXIMA_TRY(server_, net::HttpServer::create(std::move(http), *this), "reports");
    address_ = {
        .url = "https://" + host_in_url(options.advertised) + ":" + std::to_string(server_->port()),
        .ca_pem = authority.certificate_pem};
    loop_ = std::thread([this] { server_->run(); });
    return Unit{};
  }

  const ReportAddress& reached_at() const override { return address_; }
  std::uint16_t port() const override { return server_->port(); }

 private:
  net::Admission admit(const net::HttpRequest& head) override;
  net::Admission begin_review(const std::string& token, const std::string& peer);
  net::Admission verdict_on(const Result<kube::Bearer>& bearer);
  net::Reply handle(const net::HttpRequest& request) override;
  net::HttpResponse answer(const net::HttpRequest& request);
  net::HttpResponse refuse(const char* result, int status, const std::string& message);

  ReportServerPorts ports_;
  kube::AccessReview access_;
  telemetry::CounterFamily results_;
  net::Cancellation stopping_;
  ReportAddress address_;
  std::unique_ptr<net::HttpServer> server_;
  std::thread loop_;
  // They wake the server, so they are stopped before it. Tokens that nobody knows yet wait for the
  // API server, and reports do not wait behind them.
  telemetry::PageWorker reviews_;
  telemetry::PageWorker worker_;
};

net::Reply reply_of(net::HttpResponse response) {
  net::Reply reply;
  reply.response = std::move(response);
  return reply;
}

std::string bearer_token(const net::HttpRequest& request) {
  const std::string_view header = request.headers.find("Authorization").value_or("");
  return header.starts_with(kBearer) ? std::string(header.substr(kBearer.size())) : std::string();
}

net::Admission refused(net::HttpResponse response) {
  return {.verdict = net::Admission::Verdict::Refused, .refusal = reply_of(std::move(response))};
}

net::Admission Server::admit(const net::HttpRequest& head) {
  const std::string_view path = std::string_view(head.target).substr(0, head.target.find('?'));
  if (path != kReportPath) return refused(plain_response(404, "Not Found\n"));
  if (head.method != "POST") {
    auto refusal = plain_response(405, "Method Not Allowed\n");
    refusal.headers.add("Allow", "POST");
    return refused(std::move(refusal));
  }
  const std::string token = bearer_token(head);
  if (token.empty()) return refused(refuse("denied", 401, "no token\n"));
  if (const auto known = access_.remembered(token, report_access())) return verdict_on(*known);
  return begin_review(token, head.peer);
}

// The answer is remembered, and found there when it is time to decide.
net::Admission Server::begin_review(const std::string& token, const std::string& peer) {
  const auto review = [this, token] {
    const auto bearer = access_.review(token, report_access(), stopping_);
    const bool unknown = !bearer && bearer.error().code != ErrorCode::Denied;
    return plain_response(unknown ? 503 : 200, unknown ? bearer.error().message + '\n' : "");
  };
  const auto job = reviews_.begin(review, peer);
  if (!job) return refused(refuse("failed", 503, "too many tokens wait for a review\n"));
  // Not itself in its own capture: that would keep it alive for ever.
  struct Question {
    Server& server;
    std::shared_ptr<telemetry::PageJob> job;
    std::string token;
    net::Admission operator()() const {
      if (!job->done)
        return {.verdict = net::Admission::Verdict::Pending, .ask_again = Question(*this)};
      if (job->response.status != 200)
        return refused(server.refuse("failed", 503, job->response.body));
      const auto known = server.access_.remembered(token, report_access());
      if (known) return server.verdict_on(*known);
      return refused(server.refuse("failed", 503, "the review was forgotten\n"));
    }
  };
  return Question{*this, job, token}();
}

net::Admission Server::verdict_on(const Result<kube::Bearer>& bearer) {
  if (bearer) return {.verdict = net::Admission::Verdict::Authenticated};
  return refused(refuse("denied", 403, bearer.error().message + '\n'));
}

net::Reply Server::handle(const net::HttpRequest& request) {
  const auto job = worker_.begin([this, request] { return answer(request); });
  if (!job) return reply_of(refuse("failed", 503, "too many reports wait\n"));
  net::Reply reply;
  reply.ready = [job] { return job->done.load(); };
  reply.settle = [job](net::Reply& settled) { settled.response = std::move(job->response); };
  return reply;
}

net::HttpResponse Server::refuse(const char* result, int status, const std::string& message) {
  results_.with({result}).add(1);
  return plain_response(status, message);
}

net::HttpResponse Server::answer(const net::HttpRequest& request) {
  const auto bearer = access_.review(bearer_token(request), report_access(), stopping_);
  if (!bearer) {
    const bool denied = bearer.error().code == ErrorCode::Denied;
    return refuse(denied ? "denied" : "failed", denied ? 403 : 503, bearer.error().message + '\n');
  }
  const auto report = parse_node_report(request.body);
  if (!report) return refuse("invalid", 400, report.error().message + '\n');
  if (!bearer->node.empty() && bearer->node != report->node)
    return refuse("denied", 403, "the token belongs to another node\n");
  const auto spacing = ports_.take(*report);
  if (!spacing) return refuse("failed", 503, spacing.error().message + '\n');
  results_.with({"taken"}).add(1);
  return {.status = 200,
          .headers = {{"Content-Type", "application/json"}},
          .body = "{\"spacingSeconds\":" + std::to_string(*spacing) + "}\n"};
}

}  // namespace

Result<std::unique_ptr<ReportServer>> ReportServer::start(const ReportServerOptions& options,
                                                          ReportServerPorts ports) {
  auto server = std::make_unique<Server>(std::move(ports));
  Status listening = server->listen(options);
  if (!listening) return std::move(listening).error();
  return std::unique_ptr<ReportServer>(std::move(server));
}

}  // namespace proxima::reports
