// SPDX-License-Identifier: Apache-2.0
#include "telemetry/status_server.h"

#include <algorithm>
#include <array>
#include <set>
#include <thread>

#include "base/json_text.h"
#include "net/http_server.h"
#include "telemetry/page_worker.h"
#include "telemetry/plain_response.h"
#include "telemetry/sli_metrics.h"

namespace proxima::telemetry {
namespace {

constexpr std::chrono::milliseconds kStopWithin{1000};
constexpr std::array<std::string_view, 3> kHealthPaths = {"/healthz", "/livez", "/readyz"};

constexpr std::string_view kMetrics = "/metrics";
constexpr std::string_view kSlis = "/metrics/slis";

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::NotFound:
      return 404;
    case ErrorCode::InvalidInput:
      return 400;
    case ErrorCode::Retry:
      return 503;
    default:
      return 500;
  }
}

net::HttpResponse make_page(const StatusPage& page, const net::HttpRequest& request,
                            const std::vector<net::QueryParameter>& query) {
  if (page.respond) return page.respond(request);
  auto text = page.answer(query);
  if (!text) return plain_response(status_of(text.error().code), text.error().message + '\n');
  return {.status = 200,
          .headers = {{"Content-Type", page.content_type}, {"X-Content-Type-Options", "nosniff"}},
          .body = std::move(text).value()};
}

bool is_reading(const net::HttpRequest& request) {
  return request.method == "GET" || request.method == "HEAD";
}

net::HttpResponse refuse_method(const char* allowed) {
  auto refusal = plain_response(405, "Method Not Allowed\n");
  refusal.headers.add("Allow", allowed);
  return refusal;
}

class Server final : public StatusServer, private net::HttpHandler {
 public:
  Server(const MetricsRegistry& metrics, StatusPages pages, std::string scheme)
      : metrics_(metrics),
        pages_(std::move(pages)),
        scheme_(std::move(scheme)),
        worker_([this] { server_->wake(); }) {
    const HealthCheck ping = {"ping", [] { return Status(Unit{}); }};
    pages_.live.insert(pages_.live.begin(), ping);
    pages_.ready.insert(pages_.ready.begin(), ping);
    pages_.pages.push_back({.path = std::string(kMetrics),
                            .content_type = std::string(kMetricsContentType),
                            .answer = [this](const auto&) { return metrics_.render(); }});
    pages_.pages.push_back({.path = std::string(kSlis), .respond = [this](const auto& request) {
                              return answer_slis(request);
                            }});
  }

  ~Server() override {
    worker_.stop();
    if (!server_) return;
    server_->stop(kStopWithin);
    if (loop_.joinable()) loop_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Status listen(net::HttpServerOptions options) {
    address_ = options.address;
    PROXIMA_TRY(server_, net::HttpServer::create(std::move(options), *this), "status server");
    loop_ = std::thread([this] { server_->run(); });
    return Unit{};
  }

  std::uint16_t port() const override { return server_->port(); }
  std::string url() const override {
    const bool bare_ipv6 = address_.find(':') != std::string::npos && address_[0] != '[';
    return scheme_ + "://" + (bare_ipv6 ? "[" + address_ + "]" : address_) + ":" +
           std::to_string(port());
  }

 private:
  net::Reply handle(const net::HttpRequest& request) override;
  std::optional<net::HttpResponse> health(std::string_view path,
                                          std::span<const net::QueryParameter> query);
  net::Reply later(const StatusPage& page, const net::HttpRequest& request,
                   std::vector<net::QueryParameter> query);
  net::HttpResponse answer_slis(const net::HttpRequest& request);
  // {"paths":["/healthz",…]}, as Kubernetes' components answer "/".
  net::HttpResponse index() const;

  const MetricsRegistry& metrics_;
  StatusPages pages_;
  std::string scheme_;
  std::string address_;
  std::unique_ptr<net::HttpServer> server_;
  std::thread loop_;
  SliMetrics slis_;
  PageWorker worker_;  // wakes the server, so it is stopped before
};

net::Reply reply_with(net::HttpResponse response) {
  net::Reply reply;
  reply.response = std::move(response);
  return reply;
}

std::optional<net::HttpResponse> Server::health(std::string_view path,
                                                std::span<const net::QueryParameter> query) {
  for (const std::string_view endpoint : kHealthPaths) {
    if (!path.starts_with(endpoint)) continue;
    const std::string_view rest = path.substr(endpoint.size());
    if (!rest.empty() && rest[0] != '/') continue;
    const auto& checks = endpoint == "/readyz" ? pages_.ready : pages_.live;
    const std::string_view name = endpoint.substr(1);
    return answer_health({.endpoint = name, .rest = rest, .query = query}, checks,
                         [&](const HealthCheck& check, bool healthy) {
                           slis_.observe(
                               check.name, name,
                               healthy ? SliMetrics::Outcome::Success : SliMetrics::Outcome::Error);
                         });
  }
  return std::nullopt;
}

net::HttpResponse Server::answer_slis(const net::HttpRequest& request) {
  if (request.method == "DELETE") {
    slis_.reset();
    return plain_response(200, "metrics reset\n");
  }
  if (is_reading(request)) {
    return {.status = 200,
            .headers = {{"Content-Type", std::string(kMetricsContentType)},
                        {"X-Content-Type-Options", "nosniff"}},
            .body = slis_.render()};
  }
  return refuse_method("GET, HEAD, DELETE");
}

net::Reply Server::later(const StatusPage& page, const net::HttpRequest& request,
                         std::vector<net::QueryParameter> query) {
  const auto job = worker_.begin(
      [&page, request, query = std::move(query)] { return make_page(page, request, query); });
  if (!job) return reply_with(plain_response(503, "too many requests at once\n"));
  net::Reply reply;
  reply.ready = [job] { return job->done.load(); };
  reply.settle = [job](net::Reply& settled) { settled.response = std::move(job->response); };
  return reply;
}

net::HttpResponse Server::index() const {
  std::string body = "{\"paths\":[";
  for (const std::string& path : listed_paths(pages_.pages)) {
    if (body.back() != '[') body += ',';
    append_json_text(body, path);
  }
  return {.status = 200,
          .headers = {{"Content-Type", "application/json"}},
          .body = std::move(body) + "]}\n"};
}

net::Reply Server::handle(const net::HttpRequest& request) {
  const std::string_view target = request.target;
  const std::size_t mark = std::min(target.find('?'), target.size());
  const std::string_view path = target.substr(0, mark);
  auto query = net::parse_query(target.substr(std::min(mark + 1, target.size())));
  if (!query) return reply_with(plain_response(400, "the query cannot be read\n"));
  const auto page = std::ranges::find(pages_.pages, path, &StatusPage::path);
  const bool is_page = page != pages_.pages.end();
  if (is_page && page->respond) return later(*page, request, std::move(*query));
  if (!is_reading(request)) return reply_with(refuse_method("GET, HEAD"));
  if (is_page) return later(*page, request, std::move(*query));
  if (auto answer = health(path, *query)) return reply_with(std::move(*answer));
  if (path == "/") return reply_with(index());
  return reply_with(plain_response(404, "404 page not found\n"));
}

}  // namespace

std::vector<std::string> listed_paths(const std::vector<StatusPage>& pages) {
  std::set<std::string_view> paths(kHealthPaths.begin(), kHealthPaths.end());
  paths.insert({kMetrics, kSlis});
  for (const StatusPage& page : pages) paths.insert(page.path);
  return {paths.begin(), paths.end()};
}

Result<std::unique_ptr<StatusServer>> StatusServer::start(const StatusServerOptions& options,
                                                          const MetricsRegistry& metrics,
                                                          StatusPages pages) {
  auto server = std::make_unique<Server>(metrics, std::move(pages),
                                         options.certificate_pem.empty() ? "http" : "https");
  net::HttpServerOptions http;
  http.address = options.address;
  http.port = options.port;
  http.certificate_pem = options.certificate_pem;
  http.key_pem = options.key_pem;
  http.limits.max_connections = 128;
  http.limits.max_body_bytes = 1024;  // what is asked for has none
  const Status listening = server->listen(std::move(http));
  if (!listening) return listening.error();
  return std::unique_ptr<StatusServer>(std::move(server));
}

}  // namespace proxima::telemetry
