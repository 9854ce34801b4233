// SPDX-License-Identifier: Apache-2.0
// Takes reports of node proxies over HTTPS. Its certificate is made at the start and signed by an
// authority that lives as long as the process; who reports is asked of the API server. Methods may
// be called from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "kube/api.h"
#include "net/listener_policy.h"
#include "reports/node_report.h"
#include "reports/report_address.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace proxima::reports {

// Of the tokens that proxies show: `kubectl create token NAME --audience proxima-controller`.
inline constexpr std::string_view kReportAudience = "proxima-controller";

struct ReportServerOptions {
  std::string address = "0.0.0.0";
  std::uint16_t port = 0;  // 0: any free one
  std::string advertised;  // the IP address or host name that proxies connect to
};

// Proxies keep a connection each, and several share an address only behind a translation of
// addresses. Reports of up to kReportBytesMax are read once their sender is known.
inline constexpr net::ListenerPolicy kReportListener = {.slots = 8'192,
                                                        .slots_per_address = 16,
                                                        .header_bytes_max = 16U << 10U,
                                                        .body_bytes_max = kReportBytesMax};

// Everything must outlive the server.
struct ReportServerPorts {
  kube::KubeApi& api;  // for reviews of tokens
  const Clock& clock;
  telemetry::MetricsRegistry& metrics;
  // Called on one thread, one at a time. Returns how many seconds the proxy should leave between
  // two reports. An error: it is not taken, and the proxy looks for the leader again.
  std::function<Result<std::int64_t>(const NodeReport&)> take;
  // Told of internal errors, which cost the report that they happen to. From any thread; may be
  // empty.
  std::function<void(const std::string& what)> broke_down = {};
};

class ReportServer {
 public:
  // An error names the address.
  static Result<std::unique_ptr<ReportServer>> start(const ReportServerOptions& options,
                                                     ReportServerPorts ports);
  // Answers nothing any more.
  virtual ~ReportServer() = default;

  // For publish_report_address().
  virtual const ReportAddress& reached_at() const = 0;
  virtual std::uint16_t port() const = 0;
};

}  // namespace proxima::reports
