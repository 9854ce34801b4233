// SPDX-License-Identifier: Apache-2.0
#include "cli/controller_process.h"

#include "cli/host_name.h"
#include "cli/kube_connection.h"
#include "cli/planning_options.h"
#include "cli/serving_certificate.h"
#include "cli/version.h"
#include "telemetry/process_metrics.h"

namespace proxima::cli {
namespace {

// Of planning; prices of pairs of zones are not among them, which need a cluster to be checked.
Result<plan::PlanOptions> plan_options(const ControllerCommand& command) {
  const model::Snapshot nothing;
  auto prices = read_prices(command.prices, nothing);
  if (!prices) return std::move(prices).error();
  return planning_options(command.policy, *prices);
}

Status all_listed(const controller::ControllerStatus& status) {
  if (status.synced) return Unit{};
  return Error{ErrorCode::Retry, "not listed yet: " + status.waiting_for};
}

}  // namespace

Status ControllerProcess::connect() {
  auto connection = KubeConnection::find(command_.kube);
  if (!connection) return std::move(connection).error();
  for (const std::string& warning : connection->warnings()) log_.warning(warning);
  const auto on_warning = [this](std::string_view text) {
    log_.warning("The API server warns", {{"warning", text}});
  };
  auto api = connection->connect({command_.kube.qps, command_.kube.burst}, on_warning, clock_);
  if (!api) return std::move(api).error();
  api_ = std::move(*api);
  auto election_api = connection->connect({.qps = 0}, on_warning, clock_);
  if (!election_api) return std::move(election_api).error();
  election_api_ = std::move(*election_api);
  // A new leader reviews the tokens of all node proxies at once, hence the high limits.
  auto access = StatusAccess::create(
      *connection,
      {.audience = std::string(reports::kReportAudience), .limits = {.qps = 200, .burst = 400}},
      clock_);
  if (!access) return std::move(access).error();
  access_ = std::move(*access);
  log_.info(
      "Starting proxima controller",
      {{"version", version()}, {"server", connection->server()}, {"dryRun", command_.dry_run}});
  return Unit{};
}

Status ControllerProcess::prepare() {
  auto plan = plan_options(command_);
  if (!plan) return std::move(plan).error();
  plan_ = std::move(*plan);
  Status connected = connect();
  if (!connected) return connected;
  auto identity = kube::new_identity(host_name("localhost"));
  if (!identity) return std::move(identity).error();
  const std::uint64_t seed = std::hash<std::string>()(*identity);
  Status made = prepare_controller(seed);
  if (!made) return made;
  made = prepare_mirroring(seed);
  if (!made) return made;
  Status electing = prepare_election(*identity);
  if (!electing) return electing;
  Status serving = serve_status();
  if (!serving) return serving;
  serving = take_reports();
  if (!serving) return serving;
  return serve_page();
}

Status ControllerProcess::prepare_controller(std::uint64_t seed) {
  controller::ControllerOptions options;
  options.max_endpoints_per_slice = command_.max_endpoints_per_slice;
  options.concurrent_syncs = command_.concurrent_syncs;
  options.updates_batch_period = command_.updates_batch_period;
  options.plan = plan_;
  options.writes = writes();
  options.seed = seed;
  auto made = controller::Controller::create(std::move(options), {*api_, clock_, metrics_, log_});
  if (!made) return std::move(made).error();
  controller_ = std::move(*made);
  return Unit{};
}

Status ControllerProcess::prepare_mirroring(std::uint64_t seed) {
  const MirroringFlags& flags = command_.mirroring;
  if (!flags.enabled) return Unit{};
  controller::MirroringOptions options;
  options.max_endpoints_per_subset = flags.max_endpoints_per_subset;
  options.concurrent_syncs = flags.concurrent_syncs;
  options.updates_batch_period = flags.updates_batch_period;
  options.writes = writes();
  options.seed = seed + 1;
  auto made =
      controller::MirroringController::create(std::move(options), {*api_, clock_, metrics_, log_});
  if (!made) return std::move(made).error();
  mirroring_ = std::move(*made);
  return Unit{};
}

Status ControllerProcess::prepare_election(const std::string& identity) {
  if (!elects()) return Unit{};
  auto elected = ElectedController::create(
      command_.election, identity,
      {*controller_, mirroring_.get(), *election_api_, clock_, metrics_, log_});
  if (!elected) return std::move(elected).error();
  elected_ = std::move(*elected);
  return Unit{};
}

telemetry::StatusPages ControllerProcess::pages() {
  telemetry::StatusPages out;
  if (elected_) out.live.push_back({"leaderElection", [this] { return elected_->health(); }});
  // A standby is ready too: what it needs to take over is in its caches.
  out.ready.push_back({"caches", [this] { return all_listed(controller_->status()); }});
  if (mirroring_)
    out.ready.push_back({"mirroring-caches", [this] { return all_listed(mirroring_->status()); }});
  out.pages.push_back({.path = "/debug/plan", .answer = [this](const auto& query) {
                         std::string service;
                         for (const net::QueryParameter& parameter : query)
                           if (parameter.name == "service") service = parameter.value;
                         return controller_->debug_plan(service);
                       }});
  return out;
}

Result<telemetry::StatusServerOptions> ControllerProcess::status_options() {
  const StatusFlags& flags = command_.status;
  telemetry::StatusServerOptions out;
  out.address = flags.bind.address;
  out.port = flags.bind.port;
  out.authorize = [this](const auto& request) { return access_->authorize(request); };
  out.remembered = [this](const auto& request) { return access_->remembered(request); };
  out.broke_down = [&log = log_](const std::string& what) {
    log.error("An internal error stopped a page", what);
  };
  if (flags.tls_cert_file.empty()) return out;
  auto certificate = read_serving_certificate(flags);
  if (!certificate) return std::move(certificate).error();
  out.certificate_pem = std::move(certificate->certificate_pem);
  out.key_pem = std::move(certificate->key_pem);
  out.renewal = serving_certificate_renewal(flags, log_);
  return out;
}

Status ControllerProcess::serve_status() {
  metrics_.gauges({.name = "proxima_build_info", .help = "Always 1.", .labels = {"version"}})
      .with({std::string(version())})
      .set(1);
  telemetry::add_process_metrics(metrics_);
  if (!command_.status.bind.enabled) return Unit{};
  auto options = status_options();
  if (!options) return std::move(options).error();
  PROXIMA_TRY(status_, telemetry::StatusServer::start(*options, metrics_, pages()),
              "--metrics-bind-address");
  return Unit{};
}

Status ControllerProcess::take_reports() {
  if (!command_.reports.bind.enabled || command_.dry_run) return Unit{};
  auto service = ReportService::start(
      command_.reports, {*controller_, *api_, access_->api(), clock_, metrics_, log_});
  if (!service) return std::move(service).error();
  reports_ = std::move(*service);
  return Unit{};
}

Status ControllerProcess::serve_page() {
  if (!command_.web.bind.enabled) return Unit{};
  if (command_.web.proxy_port != 0)
    traffic_ = std::make_unique<web::ProxyTraffic>(
        web::ProxyTrafficOptions{.port = command_.web.proxy_port,
                                 .token_file = command_.web.proxy_token_file},
        controller_->caches(), clock_);
  auto page = serve_controller_page(command_, plan_,
                                    {.caches = controller_->caches(),
                                     .api = *api_,
                                     .clock = clock_,
                                     .log = log_,
                                     .live = nullptr,
                                     .traffic = traffic_.get()});
  if (!page) return std::move(page).error();
  web_ = std::move(*page);
  return Unit{};
}

void ControllerProcess::start() {
  controller_->start();
  if (mirroring_) mirroring_->start();
  if (elected_) {
    elected_->start();
  } else {
    controller_->lead(std::nullopt);
    if (mirroring_) mirroring_->lead(std::nullopt);
  }
}

void ControllerProcess::stop() {
  log_.info("Stopping: what is under way is finished");
  access_->stop();
  web_.reset();
  traffic_.reset();
  reports_.reset();
  controller_->stop();
  if (mirroring_) mirroring_->stop();
  if (elected_) elected_->stop();
  log_.info("Stopped");
}

}  // namespace proxima::cli
