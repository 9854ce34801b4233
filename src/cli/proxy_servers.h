// SPDX-License-Identifier: Apache-2.0
// What `proxima proxy` serves about itself: health for load balancers and kubelets at one address,
// metrics and routes at another.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cli/component_pages.h"
#include "cli/retried_start.h"
#include "cli/status_access.h"
#include "proxy/answer_server.h"
#include "proxy/flow_books.h"
#include "proxy/node_proxy.h"
#include "telemetry/status_server.h"

namespace proxima::cli {

class ProxyServers {
 public:
  // Everything must outlive it.
  struct Ports {
    proxy::NodeProxy& proxy;
    const proxy::ProxyConfig& config;
    telemetry::MetricsRegistry& metrics;
    Clock& clock;
    const telemetry::Log& log;
    proxy::EventSink tell;  // about the Node
    std::string node_name;
    std::shared_ptr<const proxy::FlowBooks> flows;  // null: connections are not counted
    FlagValues flags;                               // as they were given
    StatusAccess& access;                           // to what is not for everybody
  };
  explicit ProxyServers(Ports ports);
  ~ProxyServers() { stop(); }

  // An error: an address cannot be served and the configuration calls that fatal.
  Status start();
  // Nothing is answered any more.
  void stop();

 private:
  Status start_or_fail(RetriedStart& retried, const std::string& what, const char* event,
                       std::function<Status()> start);
  Status serve_health();
  Status serve_metrics();
  proxy::HealthAnswer health(std::string_view path) const;
  telemetry::StatusPages pages() const;
  void add_component_pages(std::vector<telemetry::StatusPage>& pages) const;
  Result<std::string> flows(const std::vector<net::QueryParameter>& query) const;

  Ports ports_;
  std::unique_ptr<proxy::AnswerServer> health_;
  std::unique_ptr<telemetry::StatusServer> metrics_;
  // After what they start: they end first.
  RetriedStart health_start_;
  RetriedStart metrics_start_;
};

}  // namespace proxima::cli
