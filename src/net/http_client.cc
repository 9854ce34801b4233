// SPDX-License-Identifier: Apache-2.0
#include "net/http_client.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "net/client_connection.h"
#include "net/http_parser.h"
#include "net/http_wire.h"
#include "net/idle_pool.h"
#include "net/proxy.h"
#include "net/response_stream.h"
#include "net/tls_context.h"
#include "net/url.h"

namespace proxima::net {

namespace {

constexpr ParserLimits kResponseLimits{.header_bytes = 256U << 10U};
constexpr std::chrono::milliseconds kEarlyAnswer{1'000};

using ConnectionPtr = std::unique_ptr<ClientConnection>;

bool changes_nothing(const HttpRequest& request) {
  return request.method == "GET" || request.method == "HEAD" || request.method == "OPTIONS";
}

// Reads past responses that are no answer yet ("100 Continue").
Result<HttpParser> read_head(ClientConnection& connection, Message message, Deadline deadline) {
  while (true) {
    HttpParser parser(message, kResponseLimits);
    auto read = parse_more(parser, connection, deadline);
    if (!read) return std::move(read).error();
    if (parser.head().status >= 200) return parser;
  }
}

// The limits of one request, of which none goes beyond the end of all.
class TimeLimits {
 public:
  explicit TimeLimits(const Deadlines& deadlines)
      : deadlines_(deadlines),
        end_(deadlines.total ? deadline_after(*deadlines.total) : Deadline::max()) {}

  Deadline connect() const { return after(deadlines_.connect); }
  Deadline answer() const { return after(deadlines_.answer); }
  Deadline early_answer() const { return after(std::min(deadlines_.answer, kEarlyAnswer)); }
  BodyLimits body() const { return {.idle = deadlines_.idle, .end = end_}; }

 private:
  Deadline after(std::chrono::milliseconds limit) const {
    return std::min(deadline_after(limit), end_);
  }

  const Deadlines& deadlines_;
  Deadline end_;
};

class Client final : public HttpClient {
 public:
  Client(HttpClientOptions options, Url origin, std::optional<Url> proxy,
         std::optional<TlsContext> tls)
      : options_(std::move(options)),
        origin_(std::move(origin)),
        proxy_(std::move(proxy)),
        tls_(std::move(tls)),
        pool_(options_.max_idle_connections) {}

  Result<std::unique_ptr<HttpStream>> open(const HttpRequest& request, const Deadlines& deadlines,
                                           const Cancellation& cancellation) override;

 private:
  Result<ConnectionPtr> connect(Deadline deadline, const Cancellation& cancellation);
  Status pass_proxy(ClientConnection& connection, Deadline deadline);
  Result<HttpParser> exchange(ClientConnection& connection, const HttpRequest& request,
                              const TimeLimits& limits);
  Status send(ClientConnection& connection, const HttpRequest& request, Deadline deadline);
  std::string head_of(const HttpRequest& request) const;
  // A plain request through an HTTP proxy names its origin in its first line.
  bool asks_proxy() const {
    return proxy_ && proxy_->scheme != "socks5" && origin_.scheme == "http";
  }

  HttpClientOptions options_;
  Url origin_;
  std::optional<Url> proxy_;
  std::optional<TlsContext> tls_;
  IdlePool pool_;
};

Result<ConnectionPtr> Client::connect(Deadline deadline, const Cancellation& cancellation) {
  PROXIMA_TRY(ConnectionPtr connection, ClientConnection::create(),
              "connect to " + origin_.authority());
  connection->attach(cancellation);
  Status status = connection->connect(proxy_ ? *proxy_ : origin_, deadline);
  if (status && proxy_) status = pass_proxy(*connection, deadline);
  if (status && origin_.scheme == "https") {
    const std::string& name = options_.tls.server_name;
    status = connection->start_tls(*tls_, name.empty() ? origin_.host : name, deadline);
  }
  if (!status) return std::move(status).error();
  return connection;
}

Status Client::pass_proxy(ClientConnection& connection, Deadline deadline) {
  if (proxy_->scheme == "socks5") return open_socks(connection, *proxy_, origin_, deadline);
  if (proxy_->scheme == "https") {
    auto status = connection.start_tls(*tls_, proxy_->host, deadline);
    if (!status) return status;
  }
  if (asks_proxy()) return Unit{};
  return open_tunnel(connection, *proxy_, origin_, deadline);
}

std::string Client::head_of(const HttpRequest& request) const {
  HttpHeaders headers = request.headers;
  if (!headers.find("Accept-Encoding")) headers.add("Accept-Encoding", "gzip");
  const std::string host = origin_.host_header();
  std::string target = origin_.path + request.target;
  if (asks_proxy()) {
    target.insert(0, "http://" + host);
    const std::string credentials = proxy_credentials(*proxy_);
    if (!credentials.empty()) headers.set("Proxy-Authorization", credentials);
  }
  std::string head;
  append_head(head, {request.method, target, host, request.body.size()}, headers);
  return head;
}

Status Client::send(ClientConnection& connection, const HttpRequest& request, Deadline deadline) {
  constexpr std::size_t kOnePacket = 16U << 10U;
  std::string head = head_of(request);
  if (request.body.size() <= kOnePacket) return connection.write(head + request.body, deadline);
  auto status = connection.write(head, deadline);
  return status ? connection.write(request.body, deadline) : std::move(status);
}

// A server may answer before it has read everything, and close: then the answer counts, not that
// the rest could not be sent.
Result<HttpParser> Client::exchange(ClientConnection& connection, const HttpRequest& request,
                                    const TimeLimits& limits) {
  connection.begin_exchange();
  auto sent = send(connection, request, limits.answer());
  if (!sent && !connection.traffic().closed) return std::move(sent).error();
  const auto message = request.method == "HEAD" ? Message::ResponseWithoutBody : Message::Response;
  auto head = read_head(connection, message, sent ? limits.answer() : limits.early_answer());
  if (!head && !sent) return std::move(sent).error();
  return head;
}

Result<std::unique_ptr<HttpStream>> Client::open(const HttpRequest& request,
                                                 const Deadlines& deadlines,
                                                 const Cancellation& cancellation) {
  const TimeLimits limits(deadlines);
  Result<HttpParser> head = Error{ErrorCode::Retry, "not asked yet"};
  ConnectionPtr connection = pool_.take();
  if (connection) {
    connection->attach(cancellation);
    head = exchange(*connection, request, limits);
    const auto& traffic = connection->traffic();
    const bool is_safe = changes_nothing(request) || !traffic.written;
    if (!head && traffic.closed && !traffic.read && is_safe) connection.reset();
  }
  if (!connection) {
    auto made = connect(limits.connect(), cancellation);
    if (!made) return std::move(made).error();
    connection = std::move(made).value();
    head = exchange(*connection, request, limits);
  }
  if (!head) return std::move(head).error().in(request.method + " " + origin_.authority());
  auto stream = std::make_unique<ResponseStream>(std::move(connection), std::move(head).value(),
                                                 pool_, limits.body());
  if (!request.headers.find("Accept-Encoding")) stream->unpack();
  return std::unique_ptr<HttpStream>(std::move(stream));
}

}  // namespace

Result<std::unique_ptr<HttpClient>> HttpClient::create(HttpClientOptions options) {
  PROXIMA_TRY(Url origin, parse_url(options.origin), "server");
  if (origin.scheme == "socks5") {
    return Error{ErrorCode::InvalidInput, "server: URL: the scheme is neither http nor https"};
  }
  std::optional<Url> proxy;
  if (!options.proxy.empty()) {
    PROXIMA_TRY(proxy, parse_url(options.proxy), "proxy");
  }
  std::optional<TlsContext> tls;
  if (origin.scheme == "https" || (proxy && proxy->scheme == "https")) {
    PROXIMA_TRY(tls, TlsContext::for_client(options.tls), "TLS with " + origin.authority());
  }
  return std::unique_ptr<HttpClient>(std::make_unique<Client>(std::move(options), std::move(origin),
                                                              std::move(proxy), std::move(tls)));
}

Result<HttpResponse> fetch(HttpClient& client, const HttpRequest& request,
                           const Deadlines& deadlines, const Cancellation& cancellation,
                           std::size_t max_body) {
  auto stream = client.open(request, deadlines, cancellation);
  if (!stream) return std::move(stream).error();
  HttpResponse response;
  response.status = (*stream)->status();
  while (true) {
    auto piece = (*stream)->read();
    if (!piece) return std::move(piece).error();
    if (piece->empty()) break;
    if (piece->size() > max_body - response.body.size()) {
      return Error{ErrorCode::Unsupported,
                   "the body is longer than " + std::to_string(max_body) + " bytes"};
    }
    response.body += *piece;
  }
  response.headers = (*stream)->headers();
  return response;
}

}  // namespace proxima::net
