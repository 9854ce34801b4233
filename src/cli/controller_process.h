// SPDX-License-Identifier: Apache-2.0
// Everything that runs in `proxima controller`, put together; `proxima up` runs it as a part.
#pragma once

#include <memory>
#include <string>

#include "cli/controller_web.h"
#include "cli/elected_controller.h"
#include "cli/options.h"
#include "cli/report_service.h"
#include "cli/status_access.h"
#include "controller/controller.h"
#include "controller/mirroring_controller.h"
#include "telemetry/status_server.h"
#include "web/proxy_traffic.h"

namespace proxima::cli {

// Everything that runs, in the order in which each part needs those before it.
class ControllerProcess {
 public:
  // The command must outlive it; log lines go to `sink`.
  ControllerProcess(const ControllerCommand& command, telemetry::Log::Sink sink)
      : command_(command),
        log_({.format = command.log.format, .verbosity = command.log.verbosity}, clock_,
             std::move(sink)) {}

  // An error: nothing runs.
  Status prepare();
  // Begins to work; returns at once.
  void start();
  // What is under way is finished, and the Lease given back.
  void stop();
  // "" when there is none.
  std::string status_url() const { return status_ ? status_->url() : ""; }
  // "" when there is none. Holds a secret.
  std::string page_text() const { return web_ ? controller_page_text(command_.web, *web_) : ""; }
  // Where node proxies report to; 0: nowhere.
  std::uint16_t report_port() const { return reports_ ? reports_->port() : 0; }
  const telemetry::Log& log() const { return log_; }
  // Of one that is prepared: what it sees, and how it plans.
  controller::ClusterCaches& caches() { return controller_->caches(); }
  const plan::PlanOptions& plan() const { return plan_; }

 private:
  Status connect();
  Status prepare_controller(std::uint64_t seed);
  Status prepare_mirroring(std::uint64_t seed);
  Status prepare_election(const std::string& identity);
  Result<telemetry::StatusServerOptions> status_options();
  Status serve_status();
  Status serve_page();
  Status take_reports();
  telemetry::StatusPages pages();
  controller::Writes writes() const {
    return command_.dry_run ? controller::Writes::Shadow : controller::Writes::Real;
  }
  bool elects() const { return command_.election.enabled && !command_.dry_run; }

  const ControllerCommand& command_;
  SystemClock clock_;
  plan::PlanOptions plan_;
  telemetry::Log log_;
  telemetry::MetricsRegistry metrics_;
  std::unique_ptr<kube::KubeApi> api_;
  std::unique_ptr<kube::KubeApi> election_api_;
  std::unique_ptr<StatusAccess> access_;
  std::unique_ptr<controller::Controller> controller_;
  std::unique_ptr<controller::MirroringController> mirroring_;  // null: not wanted
  std::unique_ptr<ElectedController> elected_;
  std::unique_ptr<telemetry::StatusServer> status_;
  std::unique_ptr<ReportService> reports_;      // null: not wanted
  std::unique_ptr<web::ProxyTraffic> traffic_;  // null: not wanted
  std::unique_ptr<web::WebServer> web_;         // null: not wanted
};

}  // namespace proxima::cli
