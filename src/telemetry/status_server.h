// SPDX-License-Identifier: Apache-2.0
// What a long-running part tells about itself over HTTP: health, metrics, what became of health
// checks (/metrics/slis) and pages of its own. Runs on three threads of its own from start() until
// it is destroyed: one answers health checks at once, one makes metrics and pages one after the
// other, and one asks who shows a token that is not known.
//
// Health and metrics are for everybody who reaches the port. All the rest is for clients on the
// same machine and for those with a token whose bearer may see it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "net/http_server.h"
#include "telemetry/health_checks.h"
#include "telemetry/metrics.h"

namespace proxima::telemetry {

// A bearer of `token` wants to see `path`.
struct AccessRequest {
  std::string token;
  std::string path;
  std::string verb;  // "get"; of other methods their name in small letters
};

// Who comes from an address of the loopback is on the same machine, in the same network namespace.
enum class LoopbackClients { Trusted, Untrusted };

// Health checks come one by one and leave; scrapers read once in a while.
inline constexpr net::ListenerPolicy kStatusListener = {
    .slots = 256,
    .slots_per_address = 32,
    .header_bytes_max = 16U << 10U,
    .body_bytes_max = 1024,
    .unauthenticated_body_bytes_max = 1024,
    .unauthenticated_idle = std::chrono::seconds(5),
    .authenticated_idle = std::chrono::seconds(30),
    .request_deadline = std::chrono::seconds(10),
    .write_stall = std::chrono::seconds(10),
    .unauthenticated_reply = std::chrono::seconds(10)};

struct StatusServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;       // 0: any free one
  std::string certificate_pem;  // with its chain; empty: plain HTTP
  std::string key_pem;
  net::CertificateRenewal renewal;
  LoopbackClients loopback = LoopbackClients::Trusted;
  // May block; called on one thread. Denied becomes 403, everything else 503. Empty: nobody may.
  std::function<Status(const AccessRequest&)> authorize;
  // What authorize() would say without asking anybody, on the server's loop; nullopt: it would ask.
  // Empty: it always asks.
  std::function<std::optional<Status>(const AccessRequest&)> remembered;
  // By which metrics are made once a second at most. May be called from any thread.
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
  // Told of internal errors of pages, which are answered 500. From any thread; may be empty.
  std::function<void(const std::string& what)> broke_down = {};
};

enum class Audience {
  Everybody,   // who reads; to change something takes a token
  Authorized,  // and clients on the same machine
};

struct StatusPage {
  std::string path;  // "/debug/plan"
  std::string content_type = "application/json";
  // Called on the thread for pages. NotFound, InvalidInput and Retry become 404, 400 and 503; any
  // other error 500.
  std::function<Result<std::string>(const std::vector<net::QueryParameter>& query)> answer = {};
  // In place of `answer`, for a page that must see the request itself: of any method, on the same
  // thread.
  std::function<net::HttpResponse(const net::HttpRequest& request)> respond = {};
  Audience audience = Audience::Authorized;
};

struct StatusPages {
  std::vector<HealthCheck> live;   // of /livez and /healthz; "ping" comes before them
  std::vector<HealthCheck> ready;  // of /readyz, the same
  std::vector<StatusPage> pages;
};

// Where there is something to see, in order: those of the pages, of health and of metrics.
std::vector<std::string> listed_paths(const std::vector<StatusPage>& pages);

class StatusServer {
 public:
  // Listens and serves. The registry must outlive it, and so must what the checks and pages look
  // at. An error names the address.
  static Result<std::unique_ptr<StatusServer>> start(const StatusServerOptions& options,
                                                     const MetricsRegistry& metrics,
                                                     StatusPages pages);
  // Lets what is being answered finish, for a moment.
  virtual ~StatusServer() = default;

  virtual std::uint16_t port() const = 0;
  virtual std::string url() const = 0;  // "http://127.0.0.1:10267"
};

}  // namespace proxima::telemetry
