// SPDX-License-Identifier: Apache-2.0
// Sends the reports of a node proxy to the controller that leads: soon after the kernel follows
// newer EndpointSlices, and at least every kReportPeriod. A controller that is away costs nothing
// but the reports: routing never waits for them. Methods may be called from any thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "kube/api.h"
#include "reports/connection_deltas.h"
#include "reports/report_address.h"
#include "telemetry/log.h"

namespace proxima::reports {

// Before the next try where no controller takes reports, or it does not answer.
inline constexpr std::chrono::seconds kReportRetryPeriod{30};

struct ReportSenderOptions {
  std::string node;
  std::string instance;
  kube::ObjectRef config_map;
};

// Everything must outlive the sender.
struct ReportSenderPorts {
  kube::KubeApi& api;  // has the ConfigMap
  Clock& clock;
  const telemetry::Log& log;
  // A client of the controller at that address, with the credentials of this proxy.
  std::function<Result<std::unique_ptr<kube::KubeApi>>(const ReportAddress&)> connect;
  std::function<ConnectionTotals()> totals;
};

class ReportSender {
 public:
  ReportSender(ReportSenderOptions options, ReportSenderPorts ports);
  ~ReportSender() { stop(); }
  ReportSender(const ReportSender&) = delete;
  ReportSender& operator=(const ReportSender&) = delete;

  // Sends from a thread of its own until stop().
  void start();
  void stop();

  // The kernel routes by all slices up to this version, but for Services that cannot be read.
  void routed(std::uint64_t slices_version, std::vector<std::string> unreadable);

  // One report, and how long to wait for the next one unless routes change. What the thread does,
  // for tests without threads.
  std::chrono::nanoseconds send_once();

 private:
  void run();
  Status find_controller();
  Status send(const NodeReport& report);
  NodeReport next_report();
  void note_problem(const Error& error);

  ReportSenderOptions options_;
  ReportSenderPorts ports_;
  net::Cancellation stopping_;
  Thread thread_;

  // The sending thread's.
  std::unique_ptr<kube::KubeApi> controller_;  // null: not known
  std::optional<NodeReport> pending_;          // was sent and not acknowledged
  ConnectionDeltas deltas_;
  std::uint64_t sequence_ = 0;
  std::chrono::seconds spacing_ = kReportSpacingMin;
  std::string problem_;  // that was logged last

  std::mutex mutex_;
  ConditionVariable changed_;
  std::uint64_t slices_version_ = 0;
  std::vector<std::string> unreadable_;
  bool news_ = false;  // routes changed since the last report
  bool ending_ = false;
};

}  // namespace proxima::reports
