// SPDX-License-Identifier: Apache-2.0
// Everything that runs in `proxima proxy`, put together.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cli/file_guard.h"
#include "cli/kube_connection.h"
#include "cli/options.h"
#include "cli/proxy_servers.h"
#include "cli/proxy_settings.h"
#include "kube/event_recorder.h"
#include "proxy/conntrack_flows.h"
#include "proxy/flow_accounting.h"
#include "proxy/kernel_metrics.h"
#include "proxy/node_planes.h"
#include "proxy/node_proxy.h"
#include "proxy/proxy_claim.h"
#include "reports/report_sender.h"

namespace proxima::cli {

class ProxyProcess {
 public:
  // Both must outlive it.
  ProxyProcess(const ProxyCommand& command, const ProxySettings& settings);

  // An error: nothing runs, and the kernel's rules are as they were.
  Status prepare();
  // Begins to work; `on_hopeless` is called when it cannot go on, from any thread.
  Status start(std::function<void(const std::string&)> on_hopeless);
  // The rules stay.
  void stop();
  const telemetry::Log& log() const { return log_; }

 private:
  Status connect();
  void write_settings();
  void open_flows();
  void count_flows();
  Status prepare_reports(const std::string& instance);
  void prepare_proxy(std::uint64_t seed);
  void take_over();
  void tell(proxy::News news);

  const ProxyCommand& command_;
  const ProxySettings& settings_;
  SystemClock clock_;
  telemetry::Log log_;
  telemetry::MetricsRegistry metrics_;
  proxy::KernelMetrics kernel_metrics_{metrics_};
  std::optional<proxy::ProxyClaim> claim_;
  std::optional<KubeConnection> connection_;  // once it is found
  std::unique_ptr<kube::KubeApi> api_;
  std::unique_ptr<StatusAccess> access_;
  std::unique_ptr<kube::EventRecorder> events_;
  std::unique_ptr<proxy::NodePlanes> planes_;
  std::optional<proxy::ConntrackFlows> flows_;
  std::unique_ptr<proxy::FlowAccounting> accounting_;  // null: connections are not counted
  std::function<void(const std::string&)> on_hopeless_;
  std::unique_ptr<reports::ReportSender> reports_;  // null: not wanted
  std::unique_ptr<proxy::NodeProxy> proxy_;
  std::unique_ptr<ProxyServers> servers_;
  std::unique_ptr<FileGuard> config_guard_;  // null: there is no configuration file
};

}  // namespace proxima::cli
