// SPDX-License-Identifier: Apache-2.0
#include "telemetry/status_server.h"

#include <algorithm>
#include <array>
#include <set>
#include <thread>

#include "base/ip_address.h"
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

net::HttpResponse make_page(const StatusPage& page, const std::vector<net::QueryParameter>& query) {
  auto text = page.answer(query);
  if (!text) return plain_response(status_of(text.error().code), text.error().message + '\n');
  return {.status = 200,
          .headers = {{"Content-Type", page.content_type}, {"X-Content-Type-Options", "nosniff"}},
          .body = std::move(text).value()};
}

bool is_reading(const net::HttpRequest& request) {
  return request.method == "GET" || request.method == "HEAD";
}

bool is_loopback(const std::string& peer) {
  const auto address = IpAddress::parse(peer);
  if (!address) return false;
  if (address->family() == IpFamily::V4) return address->bytes()[0] == 127;
  return address->text() == "::1";
}

std::string bearer_token(const net::HttpRequest& request) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string_view header = request.headers.find("Authorization").value_or("");
  return header.starts_with(kBearer) ? std::string(header.substr(kBearer.size())) : std::string();
}

// As rules of a ClusterRole name it.
std::string verb_of(const net::HttpRequest& request) {
  if (is_reading(request)) return "get";
  std::string verb = request.method;
  std::ranges::transform(verb, verb.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return verb;
}

net::HttpResponse refuse_method(const char* allowed) {
  auto refusal = plain_response(405, "Method Not Allowed\n");
  refusal.headers.add("Allow", allowed);
  return refusal;
}

class Server final : public StatusServer, private net::HttpHandler {
 public:
  Server(const StatusServerOptions& options, const MetricsRegistry& metrics, StatusPages pages)
      : metrics_(metrics),
        pages_(std::move(pages)),
        scheme_(options.certificate_pem.empty() ? "http" : "https"),
        loopback_(options.loopback),
        authorize_(options.authorize),
        worker_([this] { server_->wake(); }),
        guarded_([this] { server_->wake(); }) {
    const HealthCheck ping = {"ping", [] { return Status(Unit{}); }};
    pages_.live.insert(pages_.live.begin(), ping);
    pages_.ready.insert(pages_.ready.begin(), ping);
    pages_.pages.push_back({.path = std::string(kMetrics),
                            .content_type = std::string(kMetricsContentType),
                            .answer = [this](const auto&) { return metrics_.render(); },
                            .audience = Audience::Everybody});
    pages_.pages.push_back({.path = std::string(kSlis),
                            .respond = [this](const auto& request) { return answer_slis(request); },
                            .audience = Audience::Everybody});
  }

  ~Server() override {
    guarded_.stop();
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
  struct Question {
    net::HttpRequest request;
    std::string path;
    std::vector<net::QueryParameter> query;
  };

  net::Reply handle(const net::HttpRequest& request) override;
  std::optional<net::HttpResponse> health(std::string_view path,
                                          std::span<const net::QueryParameter> query);
  const StatusPage* find_page(std::string_view path) const;
  bool is_open_to(const Question& question) const;
  // Of a page, the index, or what there is not. Takes its time.
  net::HttpResponse respond(const Question& question);
  net::HttpResponse respond_if_authorized(const Question& question, const AccessRequest& access);
  net::Reply guard(Question question);
  static net::Reply later(telemetry::PageWorker& worker, std::function<net::HttpResponse()> make);
  net::HttpResponse answer_slis(const net::HttpRequest& request);
  // {"paths":["/healthz",…]}, as Kubernetes' components answer "/".
  net::HttpResponse index() const;

  const MetricsRegistry& metrics_;
  StatusPages pages_;
  std::string scheme_;
  LoopbackClients loopback_;
  std::function<Status(const AccessRequest&)> authorize_;
  std::string address_;
  std::unique_ptr<net::HttpServer> server_;
  std::thread loop_;
  SliMetrics slis_;
  // They wake the server, so they are stopped before it. Who shows tokens that nobody knows keeps
  // neither metrics nor clients on the same machine waiting.
  PageWorker worker_;
  PageWorker guarded_;
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

net::Reply Server::later(PageWorker& worker, std::function<net::HttpResponse()> make) {
  const auto job = worker.begin(std::move(make));
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

const StatusPage* Server::find_page(std::string_view path) const {
  const auto found = std::ranges::find(pages_.pages, path, &StatusPage::path);
  return found == pages_.pages.end() ? nullptr : &*found;
}

bool Server::is_open_to(const Question& question) const {
  if (loopback_ == LoopbackClients::Trusted && is_loopback(question.request.peer)) return true;
  const StatusPage* page = find_page(question.path);
  return page != nullptr && page->audience == Audience::Everybody && is_reading(question.request);
}

net::HttpResponse Server::respond(const Question& question) {
  const StatusPage* page = find_page(question.path);
  if (page != nullptr && page->respond) return page->respond(question.request);
  if (!is_reading(question.request)) return refuse_method("GET, HEAD");
  if (page != nullptr) return make_page(*page, question.query);
  return question.path == "/" ? index() : plain_response(404, "404 page not found\n");
}

net::HttpResponse Server::respond_if_authorized(const Question& question,
                                                const AccessRequest& access) {
  const Status allowed = authorize_(access);
  if (allowed) return respond(question);
  const bool denied = allowed.error().code == ErrorCode::Denied;
  return plain_response(denied ? 403 : 503, allowed.error().message + '\n');
}

// Neither does it say what there is: the same for every path.
net::Reply Server::guard(Question question) {
  AccessRequest access{.token = bearer_token(question.request),
                       .path = question.path,
                       .verb = verb_of(question.request)};
  if (access.token.empty() || !authorize_) {
    net::Reply refusal = reply_with(plain_response(401, "Unauthorized\n"));
    refusal.response.headers.add("WWW-Authenticate", "Bearer");
    refusal.after = net::AfterReply::Close;
    return refusal;
  }
  return later(guarded_, [this, question = std::move(question), access = std::move(access)] {
    return respond_if_authorized(question, access);
  });
}

net::Reply Server::handle(const net::HttpRequest& request) {
  const std::string_view target = request.target;
  const std::size_t mark = std::min(target.find('?'), target.size());
  auto query = net::parse_query(target.substr(std::min(mark + 1, target.size())));
  if (!query) return reply_with(plain_response(400, "the query cannot be read\n"));
  Question question{request, std::string(target.substr(0, mark)), std::move(*query)};
  if (is_reading(request)) {
    if (auto answer = health(question.path, question.query)) {
      net::Reply reply = reply_with(std::move(*answer));
      reply.after = net::AfterReply::Close;  // probes come again; their slots are for others
      return reply;
    }
  }
  if (!is_open_to(question)) return guard(std::move(question));
  if (find_page(question.path) == nullptr) return reply_with(respond(question));
  return later(worker_, [this, question = std::move(question)] { return respond(question); });
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
  auto server = std::make_unique<Server>(options, metrics, std::move(pages));
  net::HttpServerOptions http;
  http.address = options.address;
  http.port = options.port;
  http.certificate_pem = options.certificate_pem;
  http.key_pem = options.key_pem;
  http.renewal = options.renewal;
  http.policy = kStatusListener;
  const Status listening = server->listen(std::move(http));
  if (!listening) return listening.error();
  return std::unique_ptr<StatusServer>(std::move(server));
}

}  // namespace proxima::telemetry
