// SPDX-License-Identifier: Apache-2.0
// The live page over HTTP: state, history, explanations, predictions, and what can be done. Runs on
// threads of its own from start() until it is destroyed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "controller/cluster_caches.h"
#include "core/plan/cluster_plan.h"
#include "kube/api.h"
#include "net/http_server.h"
#include "telemetry/log.h"
#include "web/cluster_picture.h"
#include "web/lab_actions.h"
#include "web/live_source.h"
#include "web/proxy_page.h"

namespace proxima::web {

enum class Changes { Allowed, Refused };

// A browser has a handful of connections, one of them for the stream of the state. Behind a tunnel
// they all come from one address.
inline constexpr net::ListenerPolicy kPageListener = {.slots = 256,
                                                      .slots_per_address = 128,
                                                      .header_bytes_max = 16U << 10U,
                                                      .body_bytes_max = 64U << 10U};

struct WebServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;       // 0: any free one
  std::string certificate_pem;  // with its chain; empty: plain HTTP
  std::string key_pem;
  net::CertificateRenewal renewal;
  std::string token;                    // see new_token(); at least 16 characters
  std::vector<std::string> host_names;  // that browsers may know it by, beside the address itself
                                        // and localhost
  Changes changes = Changes::Allowed;
  std::string version;
  plan::PlanOptions plan;                 // the controller's: what is shown is what it does
  std::uint16_t proxy_port = kProxyPort;  // of the node proxies of a cluster
  std::string proxy_token_file;           // see ProxyPage
  double money_per_unit = 0.02;  // of a GB at a price of 1 in the plan's prices: between two zones
};

// What it works with; everything must outlive it.
struct WebPorts {
  controller::ClusterCaches& caches;  // the controller's: nothing is read twice
  kube::KubeApi& api;                 // events are read and annotations written through it
  Clock& clock;
  const telemetry::Log& log;
  const LiveSource* live = nullptr;        // null: there is no lab
  const TrafficSource* traffic = nullptr;  // null: nothing is measured
  LabActions* lab = nullptr;               // null: there is no lab
};

class WebServer {
 public:
  // Listens and serves. An error names the address, or what is wrong with the options.
  static Result<std::unique_ptr<WebServer>> start(WebServerOptions options, const WebPorts& ports);
  virtual ~WebServer() = default;

  virtual std::uint16_t port() const = 0;
  virtual std::string url() const = 0;  // "http://127.0.0.1:41234"
  // For a person's eyes only, never for a log: opens the page with its token.
  virtual std::string url_with_token() const = 0;
  // Waits until the page shows all of these, which is a moment after the API has them. False:
  // `deadline` came first.
  virtual bool shows(const ObjectNames& names, Clock::SteadyTime deadline) = 0;
};

}  // namespace proxima::web
