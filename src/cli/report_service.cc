// SPDX-License-Identifier: Apache-2.0
#include "cli/report_service.h"

#include "kube/cancellable_wait.h"

namespace proxima::cli {
namespace {

// Poll interval for leadership.
constexpr std::chrono::seconds kLeadershipPoll{1};
// The ConfigMap is checked this often while leading: somebody may delete it.
constexpr std::chrono::seconds kPublishAgain{60};
constexpr std::chrono::milliseconds kPublishTimeout{10'000};

bool is_wildcard(const std::string& address) {
  return address.empty() || address == "0.0.0.0" || address == "::";
}

}  // namespace

std::string contradiction(const ReportFlags& flags) {
  if (!flags.bind.enabled)
    return flags.advertised.empty() ? "" : "--report-advertise-address needs --report-bind-address";
  if (flags.config_map.empty()) return "--report-bind-address needs --report-config-map";
  if (flags.advertised.empty() && is_wildcard(flags.bind.address))
    return "--report-bind-address " + flags.bind.address +
           " needs --report-advertise-address: the address that node proxies connect to";
  return "";
}

Result<std::unique_ptr<ReportService>> ReportService::start(const ReportFlags& flags,
                                                            const Ports& ports) {
  PROXIMA_TRY(kube::ObjectRef config_map, reports::report_config_map(flags.config_map),
              "--report-config-map");
  std::unique_ptr<ReportService> service(new ReportService(ports, std::move(config_map)));
  PROXIMA_TRY(service->server_,
              reports::ReportServer::start(
                  {.address = flags.bind.address,
                   .port = flags.bind.port,
                   .advertised = flags.advertised.empty() ? flags.bind.address : flags.advertised},
                  {.api = ports.reviews,
                   .clock = ports.clock,
                   .metrics = ports.metrics,
                   .take = [&controller = ports.controller](
                               const reports::NodeReport& report) -> Result<std::int64_t> {
                     // A proxy stays with whom it has found while reports are taken there.
                     if (!controller.status().leading)
                       return Error{ErrorCode::Retry, "this controller does not lead"};
                     return controller.take_report(report);
                   },
                   .broke_down =
                       [&log = ports.log](const std::string& what) {
                         log.error("An internal error stopped a report of a node proxy", what);
                       }}),
              "--report-bind-address");
  service->publisher_ = std::thread([raw = service.get()] { raw->keep_published(); });
  return service;
}

ReportService::~ReportService() {
  stopping_.cancel();
  if (publisher_.joinable()) publisher_.join();
}

void ReportService::keep_published() {
  kube::ObjectClient client(ports_.api, kPublishTimeout);
  std::string problem;
  Clock::SteadyTime due{};
  do {
    const auto now = ports_.clock.steady_now();
    if (!ports_.controller.status().leading) {
      due = now;
      continue;
    }
    if (now < due) continue;
    const Status done =
        reports::publish_report_address(client, config_map_, server_->reached_at(), stopping_);
    due = now + kPublishAgain;
    const std::string said = done ? std::string() : done.error().message;
    if (said == problem || stopping_.cancelled()) continue;
    problem = said;
    if (!done)
      ports_.log.warning("Failed to publish where node proxies report to", {{"problem", problem}});
  } while (kube::wait_for(ports_.clock, kLeadershipPoll, stopping_) == kube::Waited::Done);
}

}  // namespace proxima::cli
