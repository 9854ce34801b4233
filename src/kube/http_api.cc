// SPDX-License-Identifier: Apache-2.0
#include "kube/http_api.h"

#include <algorithm>

#include "kube/cancellable_wait.h"
#include "kube/rotating_file.h"

namespace proxima::kube {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

// An HTTP client and what it was made of.
struct HttpApi::Client {
  net::TlsClientOptions tls;
  std::unique_ptr<net::HttpClient> http;
};

// One request on its way, through all its repetitions.
struct HttpApi::Attempt {
  const ApiRequest& request;
  milliseconds idle;
  const net::Cancellation& cancellation;
  Clock::SteadyTime latest;  // max(): no limit
  std::uint32_t retries = 0;
  bool refreshed = false;  // credentials were refused once already
  Credentials credentials;
};

namespace {

// An answer that keeps its client alive: a new certificate makes a new client while streams of the
// old one are still read.
class KeptStream final : public net::HttpStream {
 public:
  KeptStream(std::shared_ptr<void> client, std::unique_ptr<net::HttpStream> stream)
      : client_(std::move(client)), stream_(std::move(stream)) {}

  int status() const override { return stream_->status(); }
  const net::HttpHeaders& headers() const override { return stream_->headers(); }
  Result<std::string_view> read() override { return stream_->read(); }

 private:
  std::shared_ptr<void> client_;  // declared first: it must go last
  std::unique_ptr<net::HttpStream> stream_;
};

bool equal(const net::TlsClientOptions& a, const net::TlsClientOptions& b) {
  return a.ca_pem == b.ca_pem && a.certificate_pem == b.certificate_pem && a.key_pem == b.key_pem;
}

std::string_view architecture() {
#if defined(__x86_64__)
  return "amd64";
#elif defined(__aarch64__)
  return "arm64";
#else
  return "unknown";
#endif
}

// A server tells 429 and 5xx apart from failures for good by saying when to come back.
std::optional<seconds> asked_to_wait(const net::HttpStream& answer) {
  if (answer.status() != 429 && answer.status() < 500) return std::nullopt;
  const ApiFailure failure = failure_of({answer.status(), answer.headers(), {}});
  if (!failure.retry_after_seconds) return std::nullopt;
  return seconds(*failure.retry_after_seconds);
}

// Reads a short body to its end, so that the connection can be used again.
void drain(net::HttpStream& answer) {
  constexpr std::size_t kWorthReading = 16U << 10U;
  std::size_t size = 0;
  while (size < kWorthReading) {
    const auto piece = answer.read();
    if (!piece || piece->empty()) return;
    size += piece->size();
  }
}

Result<std::string> whole_body(net::HttpStream& answer, std::size_t max_body) {
  std::string body;
  for (;;) {
    PROXIMA_TRY(const std::string_view piece, answer.read(), "reading the answer");
    if (piece.empty()) return body;
    if (body.size() + piece.size() > max_body)
      return Error{ErrorCode::InvalidInput,
                   "the answer is longer than " + std::to_string(max_body) + " bytes"};
    body += piece;
  }
}

std::string target_of(const ApiRequest& request, milliseconds timeout) {
  std::string target = request.path;
  char separator = '?';
  const auto add = [&](std::string_view name, std::string_view value) {
    target += separator + net::percent_encode(name) + "=" + net::percent_encode(value);
    separator = '&';
  };
  for (const net::QueryParameter& parameter : request.query) add(parameter.name, parameter.value);
  if (timeout > milliseconds(0)) add("timeout", std::to_string(timeout.count()) + "ms");
  return target;
}

void add_impersonation(const Impersonation& as, net::HttpHeaders& headers) {
  if (as.user.empty()) return;
  headers.add("Impersonate-User", as.user);
  if (!as.uid.empty()) headers.add("Impersonate-Uid", as.uid);
  for (const std::string& group : as.groups) headers.add("Impersonate-Group", group);
  for (const auto& [key, values] : as.extra)
    for (const std::string& value : values)
      headers.add("Impersonate-Extra-" + net::percent_encode(key), value);
}

}  // namespace

std::string user_agent(std::string_view version) {
  return "proxima/" + std::string(version) + " (linux/" + std::string(architecture()) + ")";
}

HttpApi::HttpApi(const Connection& connection, std::unique_ptr<CredentialSource> credentials,
                 HttpApiOptions options, Clock& clock, MakeClient make_client)
    : connection_(connection),
      credentials_(std::move(credentials)),
      options_(std::move(options)),
      clock_(clock),
      make_client_(std::move(make_client)),
      limiter_(options_.limits, clock),
      warnings_(options_.on_warning),
      random_(options_.seed) {
  if (connection_.cluster.ca_pem.empty() && !connection_.cluster.ca_file.empty())
    ca_file_ = std::make_unique<RotatingFile>(connection_.cluster.ca_file, clock);
}

HttpApi::~HttpApi() = default;

Status HttpApi::prepare(const net::Cancellation& cancellation) {
  PROXIMA_TRY(const Credentials first, credentials_->current(cancellation), connection_.origin);
  PROXIMA_TRY(const auto client, client_for(first), connection_.origin);
  return Unit{};
}

Result<std::shared_ptr<HttpApi::Client>> HttpApi::client_for(const Credentials& credentials) {
  const ClusterEntry& cluster = connection_.cluster;
  const std::lock_guard guard(mutex_);
  net::TlsClientOptions tls{cluster.ca_pem, credentials.certificate_pem, credentials.key_pem,
                            cluster.tls_server_name, cluster.insecure_skip_tls_verify};
  if (ca_file_) {
    PROXIMA_TRY(tls.ca_pem, ca_file_->text(), "certificate-authority");
  }
  if (client_ && equal(client_->tls, tls)) return client_;
  net::HttpClientOptions wanted;
  wanted.origin = cluster.server;
  wanted.tls = tls;
  wanted.proxy = cluster.proxy_url;
  PROXIMA_TRY(auto http, make_client_(std::move(wanted)), cluster.server);
  client_ = std::make_shared<Client>(Client{std::move(tls), std::move(http)});
  return client_;
}

net::HttpRequest HttpApi::to_http(const ApiRequest& request, const Credentials& credentials) const {
  net::HttpRequest http;
  http.method = request.method;
  http.headers = {{"User-Agent", options_.user_agent}, {"Accept", "application/json"}};
  // Otherwise the client asks for gzip, and unpacks what it asked for.
  if (connection_.cluster.disable_compression) http.headers.add("Accept-Encoding", "identity");
  if (!request.content_type.empty()) http.headers.add("Content-Type", request.content_type);
  if (!credentials.authorization.empty())
    http.headers.add("Authorization", credentials.authorization);
  add_impersonation(connection_.user.impersonation, http.headers);
  http.body = request.body;
  return http;
}

Result<HttpApi::Stream> HttpApi::try_once(Attempt& attempt) {
  PROXIMA_TRY(Unit{}, limiter_.wait(attempt.cancellation, attempt.latest), "request");
  PROXIMA_TRY(attempt.credentials, credentials_->current(attempt.cancellation), connection_.origin);
  PROXIMA_TRY(const auto client, client_for(attempt.credentials), connection_.origin);
  net::Deadlines deadlines = options_.deadlines;
  deadlines.idle = attempt.idle;
  milliseconds left{0};
  if (attempt.latest != Clock::SteadyTime::max()) {
    left = std::chrono::floor<milliseconds>(attempt.latest - clock_.steady_now());
    if (left <= milliseconds(0)) return Error{ErrorCode::Retry, "timed out"};
    deadlines = {std::min(deadlines.connect, left), std::min(deadlines.answer, left),
                 std::min(deadlines.idle, left), left};
  }
  net::HttpRequest http = to_http(attempt.request, attempt.credentials);
  http.target = target_of(attempt.request, left);
  PROXIMA_TRY(Stream answer, client->http->open(http, deadlines, attempt.cancellation),
              attempt.request.method + " " + attempt.request.path);
  warnings_.take(answer->headers());
  return Stream(std::make_unique<KeptStream>(client, std::move(answer)));
}

nanoseconds HttpApi::retry_delay(std::uint32_t retries, seconds asked) {
  constexpr BackoffRange kOwn{milliseconds(100), seconds(10)};
  const nanoseconds base = std::max<nanoseconds>(std::min(asked, options_.max_retry_after),
                                                 exponential_delay(kOwn, retries));
  const std::lock_guard guard(mutex_);
  // Only ever later than asked, and spread: everybody was told the same number.
  return base + std::chrono::duration_cast<nanoseconds>(base * (0.2 * random_.unit()));
}

Result<bool> HttpApi::should_repeat(Attempt& attempt, net::HttpStream& answer) {
  if (answer.status() == 401 && !attempt.refreshed) {
    attempt.refreshed = true;
    credentials_->refuse(attempt.credentials);
    const auto fresh = credentials_->current(attempt.cancellation);
    // Without newer credentials the refusal is the answer.
    if (!fresh || *fresh == attempt.credentials) return false;
    drain(answer);
    return true;
  }
  const auto asked = asked_to_wait(answer);
  if (!asked || attempt.retries >= options_.max_retries) return false;
  const nanoseconds delay = retry_delay(attempt.retries++, *asked);
  if (attempt.latest != Clock::SteadyTime::max() && delay > attempt.latest - clock_.steady_now())
    return false;
  drain(answer);
  if (wait_for(clock_, delay, attempt.cancellation) == Waited::Cancelled)
    return Error{ErrorCode::Retry, "cancelled"};
  return true;
}

Result<HttpApi::Stream> HttpApi::try_until_answered(Attempt& attempt) {
  for (;;) {
    auto answer = try_once(attempt);
    if (!answer) return answer;
    PROXIMA_TRY(const bool again, should_repeat(attempt, **answer), attempt.request.path);
    if (!again) return answer;
  }
}

Result<std::unique_ptr<net::HttpStream>> HttpApi::open(const ApiRequest& request, milliseconds idle,
                                                       const net::Cancellation& cancellation) {
  Attempt attempt{request, idle, cancellation, Clock::SteadyTime::max()};
  if (request.timeout > milliseconds(0)) attempt.latest = clock_.steady_now() + request.timeout;
  return try_until_answered(attempt);
}

Result<ApiResponse> HttpApi::send(const ApiRequest& request,
                                  const net::Cancellation& cancellation) {
  auto answer = open(request, options_.deadlines.idle, cancellation);
  if (!answer) return std::move(answer).error();
  ApiResponse response{(*answer)->status(), (*answer)->headers(), {}};
  PROXIMA_TRY(response.body, whole_body(**answer, options_.max_body),
              request.method + " " + request.path);
  return response;
}

}  // namespace proxima::kube
