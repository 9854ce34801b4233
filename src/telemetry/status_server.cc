// SPDX-License-Identifier: Apache-2.0
#include "telemetry/status_server.h"

#include <algorithm>
#include <array>
#include <set>
#include <thread>

#include "base/ip_address.h"
#include "base/json_text.h"
#include "net/http_server.h"
#include "net/http_wire.h"
#include "net/packed_body.h"
#include "telemetry/page_worker.h"
#include "telemetry/plain_response.h"
#include "telemetry/shared_page.h"
#include "telemetry/sli_metrics.h"

namespace proxima::telemetry {
namespace {

constexpr std::chrono::milliseconds kStopWithin{1000};
constexpr std::array<std::string_view, 3> kHealthPaths = {"/healthz", "/livez", "/readyz"};
// Tokens that wait for a review, in all and from one address: anybody may show some, and each costs
// a question.
constexpr std::size_t kReviewsMax = 256;
constexpr std::size_t kReviewsOfAddressMax = 4;

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
        remembered_(options.remembered),
        reviews_([this] { server_->wake(); }, {.waiting = kReviewsMax,
                                               .waiting_per_asker = kReviewsOfAddressMax,
                                               .broke_down = options.broke_down}),
        worker_([this] { server_->wake(); }, {.broke_down = options.broke_down}),
        metrics_page_(
            {.content_type = std::string(kMetricsContentType), .now = options.now},
            [this] { return metrics_.render(); }, worker_),
        slis_page_(
            {.content_type = std::string(kMetricsContentType)}, [this] { return slis_.render(); },
            worker_) {
    const HealthCheck ping = {"ping", [] { return Status(Unit{}); }};
    pages_.live.insert(pages_.live.begin(), ping);
    pages_.ready.insert(pages_.ready.begin(), ping);
    pages_.pages.push_back({.path = std::string(kMetrics),
                            .content_type = std::string(kMetricsContentType),
                            .answer = {},
                            .audience = Audience::Everybody});
    pages_.pages.push_back({.path = std::string(kSlis),
                            .respond = [this](const auto& request) { return answer_slis(request); },
                            .audience = Audience::Everybody});
  }

  ~Server() override {
    reviews_.stop();
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

  static std::optional<Question> question_of(const net::HttpRequest& request);
  net::Admission admit(const net::HttpRequest& head) override;
  net::Admission begin_review(AccessRequest access, const std::string& asker);
  net::Reply handle(const net::HttpRequest& request) override;
  std::optional<net::HttpResponse> health(std::string_view path,
                                          std::span<const net::QueryParameter> query);
  const StatusPage* find_page(std::string_view path) const;
  bool is_trusted(const net::HttpRequest& request) const;
  bool is_open_to(const Question& question) const;
  // Of a page, the index, or what there is not. Takes its time.
  net::HttpResponse respond(const Question& question);
  net::Reply later(std::function<net::HttpResponse()> make);
  // Null: a reader has it for themselves.
  SharedPage* find_shared_page(std::string_view path);
  net::HttpResponse answer_slis(const net::HttpRequest& request);
  // {"paths":["/healthz",…]}, as Kubernetes' components answer "/".
  net::HttpResponse index() const;

  const MetricsRegistry& metrics_;
  StatusPages pages_;
  std::string scheme_;
  LoopbackClients loopback_;
  std::function<Status(const AccessRequest&)> authorize_;
  std::function<std::optional<Status>(const AccessRequest&)> remembered_;
  std::string address_;
  std::unique_ptr<net::HttpServer> server_;
  std::thread loop_;
  SliMetrics slis_;
  // They wake the server, so they are stopped before it. Who shows tokens that nobody knows keeps
  // neither metrics waiting nor those whose tokens are known.
  PageWorker reviews_;
  PageWorker worker_;
  // What everybody may read, as often as they like.
  SharedPage metrics_page_;
  SharedPage slis_page_;
};

net::Reply reply_with(net::HttpResponse response) {
  net::Reply reply;
  reply.response = std::move(response);
  return reply;
}

// Whether the path is of that endpoint of health, or of one of its checks.
bool is_under(std::string_view path, std::string_view endpoint) {
  return path.starts_with(endpoint) &&
         (path.size() == endpoint.size() || path[endpoint.size()] == '/');
}

std::optional<net::HttpResponse> Server::health(std::string_view path,
                                                std::span<const net::QueryParameter> query) {
  for (const std::string_view endpoint : kHealthPaths) {
    if (!is_under(path, endpoint)) continue;
    const std::string_view rest = path.substr(endpoint.size());
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
  return refuse_method("GET, HEAD, DELETE");
}

net::Reply Server::later(std::function<net::HttpResponse()> make) {
  const auto job = worker_.begin(std::move(make));
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

SharedPage* Server::find_shared_page(std::string_view path) {
  if (path == kMetrics) return &metrics_page_;
  return path == kSlis ? &slis_page_ : nullptr;
}

const StatusPage* Server::find_page(std::string_view path) const {
  const auto found = std::ranges::find(pages_.pages, path, &StatusPage::path);
  return found == pages_.pages.end() ? nullptr : &*found;
}

bool Server::is_trusted(const net::HttpRequest& request) const {
  return loopback_ == LoopbackClients::Trusted && is_loopback(request.peer);
}

bool Server::is_open_to(const Question& question) const {
  if (is_trusted(question.request)) return true;
  if (!is_reading(question.request)) return false;
  const StatusPage* page = find_page(question.path);
  if (page != nullptr && page->audience == Audience::Everybody) return true;
  return std::ranges::any_of(
      kHealthPaths, [&](std::string_view endpoint) { return is_under(question.path, endpoint); });
}

net::HttpResponse Server::respond(const Question& question) {
  const StatusPage* page = find_page(question.path);
  if (page != nullptr && page->respond) return page->respond(question.request);
  if (!is_reading(question.request)) return refuse_method("GET, HEAD");
  if (page != nullptr) return make_page(*page, question.query);
  return question.path == "/" ? index() : plain_response(404, "404 page not found\n");
}

net::Admission refused(net::HttpResponse response) {
  return {.verdict = net::Admission::Verdict::Refused, .refusal = reply_with(std::move(response))};
}

net::HttpResponse refusal_of(const Error& error) {
  return plain_response(error.code == ErrorCode::Denied ? 403 : 503, error.message + '\n');
}

net::Admission verdict_on(const Status& allowed) {
  if (allowed) return {.verdict = net::Admission::Verdict::Authenticated};
  return refused(refusal_of(allowed.error()));
}

// Neither does it say what there is: the same for every path.
net::Admission unauthorized() {
  auto refusal = plain_response(401, "Unauthorized\n");
  refusal.headers.add("WWW-Authenticate", "Bearer");
  return refused(std::move(refusal));
}

std::optional<Server::Question> Server::question_of(const net::HttpRequest& request) {
  const std::string_view target = request.target;
  const std::size_t mark = std::min(target.find('?'), target.size());
  auto query = net::parse_query(target.substr(std::min(mark + 1, target.size())));
  if (!query) return std::nullopt;
  return Question{request, std::string(target.substr(0, mark)), std::move(*query)};
}

// What is open to everybody makes nobody known: the slot of a client on the same machine is a
// stranger's, too, because not everybody there means well.
net::Admission Server::admit(const net::HttpRequest& head) {
  const auto question = question_of(head);
  if (!question) return refused(plain_response(400, "the query cannot be read\n"));
  if (is_open_to(*question)) return {};
  AccessRequest access{.token = bearer_token(head), .path = question->path, .verb = verb_of(head)};
  if (access.token.empty() || !authorize_) return unauthorized();
  if (remembered_)
    if (const auto known = remembered_(access)) return verdict_on(*known);
  return begin_review(std::move(access), head.peer);
}

net::Admission Server::begin_review(AccessRequest access, const std::string& asker) {
  const auto review = [this, access = std::move(access)] {
    const Status allowed = authorize_(access);
    return allowed ? net::HttpResponse{.status = 200} : refusal_of(allowed.error());
  };
  const auto job = reviews_.begin(review, asker);
  if (!job) return refused(plain_response(503, "too many tokens wait for a review\n"));
  // Not itself in its own capture: that would keep it alive for ever.
  struct Pending {
    std::shared_ptr<PageJob> job;
    net::Admission operator()() const {
      if (!job->done)
        return {.verdict = net::Admission::Verdict::Pending, .ask_again = Pending(*this)};
      if (job->response.status != 200) return refused(job->response);
      return {.verdict = net::Admission::Verdict::Authenticated};
    }
  };
  return Pending{job}();
}

// Of what was admitted.
net::Reply Server::handle(const net::HttpRequest& request) {
  auto question = question_of(request);
  if (!question) return reply_with(plain_response(400, "the query cannot be read\n"));
  if (is_reading(request)) {
    if (auto answer = health(question->path, question->query)) {
      net::Reply reply = reply_with(std::move(*answer));
      reply.after = net::AfterReply::Close;  // probes come again; their slots are for others
      return reply;
    }
  }
  // Who looks on the same machine sees what has just happened. Counts of health checks are few.
  const bool newest = question->path == kSlis || is_trusted(request);
  if (SharedPage* const page = find_shared_page(question->path);
      page != nullptr && is_reading(request))
    return page->show(request, newest ? PageAge::Newest : PageAge::Recent);
  if (find_page(question->path) == nullptr) return reply_with(respond(*question));
  return later([this, question = std::move(*question)] {
    auto response = respond(question);
    if (net::accepts_gzip(question.request.headers)) net::pack_body(response);
    return response;
  });
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
