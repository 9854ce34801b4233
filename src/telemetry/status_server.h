// SPDX-License-Identifier: Apache-2.0
// What a long-running part tells about itself over HTTP: health, metrics, what became of health
// checks (/metrics/slis) and pages of its own. Runs on two threads of its own from start() until it
// is destroyed: one answers health checks at once, the other makes metrics and pages one after the
// other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "telemetry/health_checks.h"
#include "telemetry/metrics.h"

namespace proxima::telemetry {

struct StatusServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;       // 0: any free one
  std::string certificate_pem;  // with its chain; empty: plain HTTP
  std::string key_pem;
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
