// SPDX-License-Identifier: Apache-2.0
// The controller's side of reports of node proxies: takes them, and while it leads publishes where.
#pragma once

#include <memory>
#include <thread>

#include "cli/options.h"
#include "controller/controller.h"
#include "kube/api.h"
#include "reports/report_server.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace proxima::cli {

class ReportService {
 public:
  // Everything must outlive it.
  struct Ports {
    controller::Controller& controller;
    kube::KubeApi& api;
    kube::KubeApi& reviews;  // of tokens
    Clock& clock;
    telemetry::MetricsRegistry& metrics;
    const telemetry::Log& log;
  };
  // An error names the flag.
  static Result<std::unique_ptr<ReportService>> start(const ReportFlags& flags, const Ports& ports);
  ~ReportService();
  ReportService(const ReportService&) = delete;
  ReportService& operator=(const ReportService&) = delete;

  std::uint16_t port() const { return server_->port(); }

 private:
  ReportService(const Ports& ports, kube::ObjectRef config_map)
      : ports_(ports), config_map_(std::move(config_map)) {}
  void keep_published();

  Ports ports_;
  kube::ObjectRef config_map_;
  std::unique_ptr<reports::ReportServer> server_;
  net::Cancellation stopping_;
  std::thread publisher_;
};

// "" when the flags fit together.
std::string contradiction(const ReportFlags& flags);

}  // namespace proxima::cli
