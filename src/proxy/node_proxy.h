// SPDX-License-Identifier: Apache-2.0
// The node proxy as it runs: watches the cluster, keeps the data planes of this node in step with
// it at the configured pace, and answers for itself. One thread decides; methods may be called from
// any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "kube/api.h"
#include "proxy/event_sink.h"
#include "proxy/flow_owner.h"
#include "proxy/health_answer.h"
#include "proxy/proxy_caches.h"
#include "proxy/proxy_config.h"
#include "proxy/route_document.h"
#include "proxy/route_sync.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace proxima::proxy {

struct NodeProxyOptions {
  ProxyConfig config;       // that validate() has no fault with
  std::string node_name;    // of the own Node
  std::string proxy_name;   // see proxy/watch_selection.h
  WishOptions wishes = {};  // see proxy/routing_wish.h
  // Route external IPs that are addresses of this node, as kube-proxy does. Anyone who can write
  // Services can then take any port of the node.
  bool allows_node_external_ips = false;
  // Interval between full comparisons of the kernel's rules with the routes.
  std::chrono::nanoseconds check_period = std::chrono::hours(1);
  std::uint64_t seed = 0;  // of all jitter
};

// What it works with; everything must outlive it.
struct NodeProxyPorts {
  kube::KubeApi& api;
  Clock& clock;
  telemetry::MetricsRegistry& metrics;
  const telemetry::Log& log;
  std::vector<FamilyPlane> planes;  // one a family that is routed
  FlowTable* flows = nullptr;       // null: UDP flows are left alone
  std::function<Result<std::vector<IpAddress>>()> local_addresses;
  EventSink tell;
  // Called once, when every family that the kernel can hold is written for the first time: what
  // another proxy left behind may go now. On the deciding thread.
  std::function<void()> on_active;
  // Called after every round with what connections can be told by now. On the deciding thread.
  std::function<void(FlowView)> on_view;
  // Called after a round that brought the kernel in step with every EndpointSlice up to a newer
  // resourceVersion than before, with the Services, "shop/web", whose plan cannot be read. On the
  // deciding thread; may be empty.
  std::function<void(kube::Version, std::vector<std::string> unreadable)> on_routed;
  // Called when it cannot go on, with the reason: the kernel can hold no family, among others. On
  // the deciding thread.
  std::function<void(const std::string&)> on_hopeless;
};

struct NodeProxyStatus {
  std::string waiting_for;   // the kinds that are not listed yet; nothing is written meanwhile
  bool active = false;       // every family that the kernel can hold has been written
  std::uint64_t rounds = 0;  // of writing, also of those that failed
  // Services and slices that have changed since the last round, and each change of a slice.
  std::size_t changed_services = 0;
  std::size_t changed_slices = 0;
  std::size_t slice_events = 0;
};

class NodeProxy {
 public:
  static std::unique_ptr<NodeProxy> create(NodeProxyOptions options, NodeProxyPorts ports);
  // Stops it.
  virtual ~NodeProxy() = default;

  // Begins to watch and to write; returns at once.
  virtual void start() = 0;
  // Returns when no thread is left. What is in the kernel stays there. At most once in effect.
  virtual void stop() = 0;

  virtual NodeProxyStatus status() const = 0;
  // What it sees of the cluster, for others in this process to look at and listen to. Written by
  // nobody else.
  virtual ProxyCaches& caches() = 0;
  // Each question counts in the metrics.
  virtual HealthAnswer healthz() = 0;
  virtual HealthAnswer livez() = 0;
  // Of /debug/routes: the routes that were planned last, by family, as JSON. Retry: none yet.
  virtual Result<std::string> debug_routes(const RouteFilter& filter) const = 0;
};

}  // namespace proxima::proxy
