// SPDX-License-Identifier: Apache-2.0
#include "web/web_server.h"

#include <algorithm>
#include <thread>

#include "net/http_server.h"
#include "net/http_wire.h"
#include "net/packed_body.h"
#include "telemetry/page_worker.h"
#include "web/access_token.h"
#include "web/live_loop.h"
#include "web/packed_state.h"
#include "web/page_files.h"
#include "web/request_body.h"
#include "web/state_stream.h"
#include "web/web_access.h"
#include "web/web_actions.h"
#include "web/web_reply.h"

namespace proxima::web {
namespace {

constexpr std::chrono::milliseconds kStopWithin{1000};
constexpr std::string_view kChangeHeader = "X-Proxima";
constexpr std::size_t kNodesFetchedAtOnce = 4;
constexpr std::size_t kPackedBytesMin = 2048;

// A request with its target taken apart.
struct Question {
  const net::HttpRequest& request;
  std::string path;
  std::vector<std::string> parts;  // of the path, unescaped: "api", "services", "shop", "even"
  std::vector<net::QueryParameter> query;

  std::string parameter(std::string_view name) const {
    for (const net::QueryParameter& one : query)
      if (one.name == name) return one.value;
    return {};
  }
  // Whether the path is of this form; "*" stands for any part.
  bool is(std::initializer_list<std::string_view> form) const {
    return std::equal(parts.begin(), parts.end(), form.begin(), form.end(),
                      [](const std::string& part, std::string_view wanted) {
                        return wanted == "*" || part == wanted;
                      });
  }
};

// nullopt: an escape in it is broken.
std::optional<Question> take_apart(const net::HttpRequest& request) {
  Question out{.request = request, .path = {}, .parts = {}, .query = {}};
  const std::string_view target = request.target;
  const std::size_t mark = std::min(target.find('?'), target.size());
  out.path = target.substr(0, mark);
  auto query = net::parse_query(target.substr(std::min(mark + 1, target.size())));
  if (!query) return std::nullopt;
  out.query = std::move(*query);
  std::string_view rest(out.path);
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the slash
    const std::string_view part = rest.substr(0, rest.find('/'));
    rest.remove_prefix(part.size());
    auto decoded = net::percent_decode(part, net::PlusSign::Itself);
    if (!decoded) return std::nullopt;
    out.parts.push_back(std::move(*decoded));
  }
  return out;
}

class Server final : public WebServer, private net::HttpHandler {
 public:
  Server(WebServerOptions options, const WebPorts& ports)
      : options_(std::move(options)),
        ports_(ports),
        files_(embedded_page_files()),
        events_(ports.live == nullptr ? EventScope::ServicesOnly : EventScope::Everything,
                {ports.api, ports.clock, ports.log}),
        actions_({.api = ports.api,
                  .live = ports.live,
                  .lab = ports.lab,
                  .proxy_port = options_.proxy_port,
                  .proxy_token_file = options_.proxy_token_file}),
        loop_({.version = options_.version,
               .read_only = options_.changes == Changes::Refused,
               .plan = options_.plan,
               .money = {.per_unit = options_.money_per_unit}},
              {.caches = ports.caches,
               .events = events_,
               .clock = ports.clock,
               .live = ports.live,
               .traffic = ports.traffic,
               .on_news = [this] { server_->wake(); },
               .broke_down =
                   [this](const std::string& what) {
                     ports_.log.error("An internal error stopped an update of the live page", what);
                   }}) {}

  ~Server() override {
    if (!server_) return;
    actions_.stop();
    loop_.stop();  // it and the workers wake the server, so they end before it
    reading_.reset();
    fetching_.reset();
    changing_.reset();
    server_->stop(kStopWithin);
    if (thread_.joinable()) thread_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Status listen();

  std::uint16_t port() const override { return server_->port(); }
  std::string url() const override;
  std::string url_with_token() const override { return url() + "/?token=" + options_.token; }
  bool shows(const ObjectNames& names, Clock::SteadyTime deadline) override;

 private:
  net::Admission admit(const net::HttpRequest& head) override;
  net::Reply handle(const net::HttpRequest& request) override;
  // What is asked by somebody who was admitted.
  net::Reply answer(const Question& question);
  net::Reply greet(const Question& question) const;
  net::Reply show(const Question& question);
  net::Reply change(const Question& question);
  net::Reply page_file(const Question& question) const;
  net::Reply state(const Question& question);
  net::Reply stream();
  // Packed by the worker for who accepts it.
  static net::Reply later(telemetry::PageWorker& worker, const Question& question,
                          std::function<net::HttpResponse()> make);
  net::HttpResponse routes(const std::string& node);
  net::HttpResponse predict(const std::string& body);
  net::HttpResponse explain(const std::string& service, const PointOfView& view);
  bool is_tls() const { return !options_.certificate_pem.empty(); }

  WebServerOptions options_;
  WebPorts ports_;
  std::vector<PageFile> files_;
  EventLog events_;
  WebActions actions_;
  LiveLoop loop_;
  PackedState packed_state_;
  std::unique_ptr<net::HttpServer> server_;
  std::thread thread_;
  // Changes of a lab take seconds, and so may nodes that are asked for their routes; what is only
  // looked at does not wait behind them, and no node behind another.
  std::unique_ptr<telemetry::PageWorker> reading_;
  std::unique_ptr<telemetry::PageWorker> fetching_;
  std::unique_ptr<telemetry::PageWorker> changing_;
};

Status Server::listen() {
  net::HttpServerOptions http;
  http.address = options_.address;
  http.port = options_.port;
  http.certificate_pem = options_.certificate_pem;
  http.key_pem = options_.key_pem;
  http.renewal = options_.renewal;
  http.policy = kPageListener;
  http.gzip_bytes_min = kPackedBytesMin;
  PROXIMA_TRY(server_, net::HttpServer::create(std::move(http), *this), "web server");
  const auto wake = [this] { server_->wake(); };
  telemetry::PageWorkerLimits limits{.broke_down = [&log = ports_.log](const std::string& what) {
    log.error("An internal error stopped a request of the live page", what);
  }};
  reading_ = std::make_unique<telemetry::PageWorker>(wake, limits);
  changing_ = std::make_unique<telemetry::PageWorker>(wake, limits);
  limits.threads = kNodesFetchedAtOnce;
  fetching_ = std::make_unique<telemetry::PageWorker>(wake, limits);
  loop_.start();
  thread_ = std::thread([this] { server_->run(); });
  return Unit{};
}

std::string Server::url() const {
  const bool is_v6 = options_.address.find(':') != std::string::npos;
  return std::string(is_tls() ? "https" : "http") + "://" +
         (is_v6 ? "[" + options_.address + "]" : options_.address) + ":" + std::to_string(port());
}

net::Admission refused_page(int status, const char* why) {
  net::Admission admission{.verdict = net::Admission::Verdict::Refused,
                           .refusal = reply_now(error_response(status, why))};
  add_common_headers(admission.refusal.response);
  return admission;
}

// Whether the token is to become a cookie; without one there is only that to be had.
bool is_greeting(const Question& question) {
  return question.path == "/" && question.request.method == "GET" &&
         !question.parameter("token").empty();
}

net::Admission Server::admit(const net::HttpRequest& head) {
  const auto host = head.headers.find("Host");
  if (!host || !is_own_host(*host, options_.host_names))
    return refused_page(403, "this is not the host that the request is for");
  const auto token = token_of(head, port());
  if (token && same_token(*token, options_.token))
    return {.verdict = net::Admission::Verdict::Authenticated};
  const auto question = take_apart(head);
  if (question && is_greeting(*question)) return {};
  return refused_page(
      401, "a token is needed: open the URL that was printed when the server was started");
}

net::Reply Server::handle(const net::HttpRequest& request) {
  const auto question = take_apart(request);
  net::Reply reply =
      question ? answer(*question)
               : reply_now(error_response(400, "the target of the request cannot be read"));
  add_common_headers(reply.response);
  if (reply.settle) {
    reply.settle = [settle = std::move(reply.settle)](net::Reply& settled) {
      settle(settled);
      add_common_headers(settled.response);
    };
  }
  return reply;
}

net::Reply Server::answer(const Question& question) {
  const std::string& method = question.request.method;
  if (is_greeting(question)) return greet(question);
  if (method == "GET" || method == "HEAD") return show(question);
  if (method == "POST") return change(question);
  net::HttpResponse refusal = error_response(405, "only GET and POST are answered");
  refusal.headers.set("Allow", "GET, HEAD, POST");
  return reply_now(std::move(refusal));
}

// The token becomes a cookie and leaves the address bar, where somebody else might read it.
net::Reply Server::greet(const Question& question) const {
  if (!same_token(question.parameter("token"), options_.token))
    return reply_now(error_response(401, "the token is not the one of this server"));
  net::HttpResponse redirect;
  redirect.status = 303;
  redirect.headers.set("Location", "/");
  redirect.headers.set("Cache-Control", "no-store");
  redirect.headers.set(
      "Set-Cookie", token_cookie({.token = options_.token, .port = port(), .over_tls = is_tls()}));
  return reply_now(std::move(redirect));
}

net::Reply wrong_method(const char* allowed) {
  net::HttpResponse refusal =
      error_response(405, std::string("this is answered to ") + allowed + " only");
  refusal.headers.set("Allow", allowed);
  return reply_now(std::move(refusal));
}

bool is_change(const Question& question) {
  return question.is({"api", "predict"}) || question.is({"api", "services", "*", "*", "policy"}) ||
         (question.is({"api", "lab", "*"}) && WebActions::is_action(question.parts[2]));
}

bool is_view(const Question& question) {
  return question.is({"api", "state"}) || question.is({"api", "stream"}) ||
         question.is({"api", "history"}) || question.is({"api", "nodes", "*", "routes"}) ||
         question.is({"api", "services", "*", "*", "explain"});
}

net::Reply Server::show(const Question& question) {
  if (question.is({"api", "state"})) return state(question);
  if (question.is({"api", "stream"}))
    return question.request.method == "GET" ? stream() : wrong_method("GET");
  if (question.is({"api", "history"}))
    return later(*reading_, question, [this] { return json_response(loop_.history()); });
  if (question.is({"api", "services", "*", "*", "explain"}))
    return later(*reading_, question,
                 [this, service = question.parts[2] + "/" + question.parts[3],
                  view = PointOfView{question.parameter("from"), question.parameter("family")}] {
                   return explain(service, view);
                 });
  if (question.is({"api", "nodes", "*", "routes"}))
    return later(*fetching_, question, [this, node = question.parts[2]] { return routes(node); });
  if (is_change(question)) return wrong_method("POST");
  return page_file(question);
}

net::Reply Server::change(const Question& question) {
  if (!is_change(question)) {
    if (is_view(question)) return wrong_method("GET");
    net::Reply file = page_file(question);
    return file.response.status == 404 ? std::move(file) : wrong_method("GET");
  }
  if (!question.request.headers.find(kChangeHeader))
    return reply_now(error_response(403, "the header X-Proxima is missing"));
  const std::string& body = question.request.body;
  if (question.is({"api", "predict"}))
    return later(*reading_, question, [this, body] { return predict(body); });
  if (options_.changes == Changes::Refused)
    return reply_now(error_response(403, "this page is read-only"));
  if (question.is({"api", "lab", "*"}))
    return later(*changing_, question, [this, action = question.parts[2], body] {
      auto done = actions_.act(action, body);
      return done ? json_response(std::move(*done)) : error_response(done.error());
    });
  return later(*changing_, question,
               [this, ns = question.parts[2], name = question.parts[3], body] {
                 const auto wish = read_policy(body);
                 return wish ? done_response(actions_.set_policy(ns, name, *wish))
                             : error_response(wish.error());
               });
}

net::Reply Server::page_file(const Question& question) const {
  const auto file = std::find_if(files_.begin(), files_.end(),
                                 [&](const PageFile& one) { return one.path == question.path; });
  if (file == files_.end()) return reply_now(error_response(404, "there is nothing here"));
  net::HttpResponse out;
  out.status = 200;
  out.headers.set("Content-Type", std::string(file->content_type));
  out.headers.set("ETag", file->etag);
  out.headers.set("Cache-Control",
                  file->immutable ? "private, max-age=31536000, immutable" : "no-cache");
  if (question.request.headers.find("If-None-Match") == std::string_view(file->etag)) {
    out.status = 304;
  } else {
    out.body = file->bytes;
  }
  return reply_now(std::move(out));
}

bool Server::shows(const ObjectNames& names, Clock::SteadyTime deadline) {
  Published now = loop_.current();
  while (!now.picture || !web::shows(*now.picture, names)) {
    Published next = loop_.after(now.revision, deadline);
    // Nothing newer: the time is over, or the loop ends.
    if (next.revision == now.revision) return false;
    now = std::move(next);
  }
  return true;
}

net::Reply state_reply(std::shared_ptr<const std::string> document) {
  if (!document) return reply_now(error_response(503, "the cluster was not read yet"));
  net::Reply reply = reply_now(json_response({}));
  reply.shared_body = std::move(document);
  return reply;
}

// First the state is worked out, then packed, if that is wanted; once for all who want it.
net::Reply Server::state(const Question& question) {
  struct Progress {
    Published shown;
    std::shared_ptr<telemetry::PageJob> packing;  // null: not begun, or refused
    std::shared_ptr<PackedText> packed;
  };
  const auto progress = std::make_shared<Progress>();
  const bool packs = net::accepts_gzip(question.request.headers);
  net::Reply reply;
  reply.ready = [this, progress, packs, ticket = loop_.ask()] {
    if (progress->packing) return progress->packing->done.load();
    if (!loop_.has_answered(ticket)) return false;
    progress->shown = loop_.current();
    if (!packs || !progress->shown.document) return true;
    progress->packed = packed_state_.of(progress->shown);
    progress->packing = reading_->begin([packed = progress->packed] {
      packed->pack();
      return net::HttpResponse{};
    });
    return progress->packing == nullptr;
  };
  reply.settle = [progress](net::Reply& settled) {
    const bool packed = progress->packing != nullptr && progress->packed->text() != nullptr;
    settled = state_reply(packed ? progress->packed->text() : progress->shown.document);
    if (!packed) return;
    settled.response.headers.add("Content-Encoding", "gzip");
    settled.response.headers.add("Vary", "Accept-Encoding");
  };
  return reply;
}

net::Reply Server::stream() {
  net::Reply reply;
  reply.response.status = 200;
  reply.response.headers.set("Content-Type", "text/event-stream");
  reply.response.headers.set("Cache-Control", "no-store");
  reply.stream = std::make_unique<StateStream>(loop_, ports_.clock);
  return reply;
}

net::Reply Server::later(telemetry::PageWorker& worker, const Question& question,
                         std::function<net::HttpResponse()> make) {
  const bool packs = net::accepts_gzip(question.request.headers);
  const auto job = worker.begin([make = std::move(make), packs] {
    auto response = make();
    if (packs) net::pack_body(response, kPackedBytesMin);
    return response;
  });
  if (!job) return reply_now(error_response(503, "too many requests at once"));
  net::Reply reply;
  reply.ready = [job] { return job->done.load(); };
  reply.settle = [job](net::Reply& settled) {
    settled.response = job->broke_down ? error_response(500, "an internal error, see the log")
                                       : std::move(job->response);
  };
  return reply;
}

net::HttpResponse Server::routes(const std::string& node) {
  const Published now = loop_.fresh();
  if (!now.picture) return error_response(503, "the cluster was not read yet");
  auto document = actions_.fetch_routes(*now.picture, node);
  if (document) return json_response(std::move(*document));
  const bool unknown = document.error().code == ErrorCode::NotFound;
  return error_response(unknown ? 404 : 502, document.error().message);
}

net::HttpResponse Server::predict(const std::string& body) {
  const auto wanted = read_predict(body);
  if (!wanted) return error_response(wanted.error());
  const Published now = loop_.fresh();
  if (!now.picture) return error_response(503, "the cluster was not read yet");
  const auto prediction = web::predict(*now.picture, wanted->service, wanted->wish);
  if (!prediction) return error_response(prediction.error());
  return json_response(prediction_document(wanted->service, *prediction));
}

net::HttpResponse Server::explain(const std::string& service, const PointOfView& view) {
  const Published now = loop_.fresh();
  if (!now.picture) return error_response(503, "the cluster was not read yet");
  auto document = explanation_document(*now.picture, service, view);
  return document ? json_response(std::move(*document)) : error_response(document.error());
}

}  // namespace

Result<std::unique_ptr<WebServer>> WebServer::start(WebServerOptions options,
                                                    const WebPorts& ports) {
  const Status good = check_token(options.token);
  if (!good) return good.error();
  auto server = std::make_unique<Server>(std::move(options), ports);
  const Status listening = server->listen();
  if (!listening) return listening.error();
  return std::unique_ptr<WebServer>(std::move(server));
}

}  // namespace proxima::web
