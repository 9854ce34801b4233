// SPDX-License-Identifier: Apache-2.0
#include "reports/report_sender.h"

#include <algorithm>
#include <boost/json.hpp>

namespace proxima::reports {
namespace {

namespace json = boost::json;
using std::chrono::seconds;

constexpr std::chrono::milliseconds kRequestTimeout{10'000};

// As the controller asks for; what it does not say stays as it was.
seconds spacing_in(std::string_view answer, seconds present) {
  json::error_code error;
  const json::value document = json::parse(answer, error);
  if (error || !document.is_object()) return present;
  const json::value* asked = document.get_object().if_contains("spacingSeconds");
  if (asked == nullptr || !asked->is_int64()) return present;
  return std::clamp(seconds(asked->get_int64()), kReportSpacingMin, kReportSpacingMax);
}

}  // namespace

ReportSender::ReportSender(ReportSenderOptions options, ReportSenderPorts ports)
    : options_(std::move(options)), ports_(std::move(ports)) {}

void ReportSender::start() {
  if (!thread_.joinable()) thread_ = ports_.clock.start_thread([this] { run(); });
}

void ReportSender::stop() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  stopping_.cancel();
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ReportSender::routed(std::uint64_t slices_version, std::vector<std::string> unreadable) {
  if (unreadable.size() > kUnreadableMax) unreadable.resize(kUnreadableMax);
  const std::lock_guard lock(mutex_);
  slices_version_ = slices_version;
  unreadable_ = std::move(unreadable);
  news_ = true;
  changed_.notify_all();
}

void ReportSender::run() {
  std::unique_lock lock(mutex_);
  // Nothing is routed yet, and a report would say that the node is behind everything.
  ports_.clock.wait(lock, changed_, [this] { return ending_ || news_; });
  while (!ending_) {
    news_ = false;
    lock.unlock();
    const auto wait = send_once();
    lock.lock();
    const auto now = ports_.clock.steady_now();
    const bool failed = controller_ == nullptr;
    const auto earliest = now + (failed ? wait : std::chrono::nanoseconds(spacing_));
    while (!ending_ && ports_.clock.steady_now() < (news_ ? earliest : now + wait))
      ports_.clock.wait_until(lock, changed_, news_ ? earliest : now + wait);
  }
}

Status ReportSender::find_controller() {
  if (controller_) return Unit{};
  kube::ObjectClient client(ports_.api, kRequestTimeout);
  PROXIMA_TRY(const ReportAddress address,
              fetch_report_address(client, options_.config_map, stopping_), "find the controller");
  PROXIMA_TRY(controller_, ports_.connect(address), "connect to " + address.url);
  return Unit{};
}

NodeReport ReportSender::next_report() {
  NodeReport report{.node = options_.node, .instance = options_.instance, .sequence = ++sequence_};
  report.connections = deltas_.take(ports_.totals());
  return report;
}

Status ReportSender::send(const NodeReport& report) {
  kube::ApiRequest request;
  request.method = "POST";
  request.path = kReportPath;
  request.content_type = "application/json";
  request.body = render(report);
  request.timeout = kRequestTimeout;
  PROXIMA_TRY(const kube::ApiResponse answer, controller_->send(request, stopping_),
              "send a report");
  if (!answer.ok())
    return Error{ErrorCode::Retry,
                 "send a report: " + kube::to_error(kube::failure_of(answer)).message};
  spacing_ = spacing_in(answer.body, spacing_);
  return Unit{};
}

void ReportSender::note_problem(const Error& error) {
  if (error.message == std::exchange(problem_, error.message)) return;
  // Clusters with another controller have no such ConfigMap.
  if (error.code == ErrorCode::NotFound) {
    ports_.log.info("No controller takes reports of node proxies; routing is not affected",
                    {{"configMap", options_.config_map.ns + "/" + options_.config_map.name}});
  } else {
    ports_.log.warning("Failed to report to the controller; routing is not affected",
                       {{"problem", error.message}});
  }
}

std::chrono::nanoseconds ReportSender::send_once() {
  Status done = find_controller();
  if (done) {
    if (!pending_) pending_ = next_report();
    {
      const std::lock_guard lock(mutex_);
      pending_->slices_version = slices_version_;
      pending_->unreadable = unreadable_;
    }
    done = send(*pending_);
  }
  if (!done) {
    if (!stopping_.cancelled()) note_problem(done.error());
    controller_.reset();  // another one may lead by now
    return kReportRetryPeriod;
  }
  if (!std::exchange(problem_, {}).empty()) ports_.log.info("The controller takes reports");
  pending_.reset();
  return std::max(kReportPeriod, spacing_);
}

}  // namespace proxima::reports
