// SPDX-License-Identifier: Apache-2.0
#include "proxy/node_proxy.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <utility>

#include "kube/reflector.h"
#include "kube/telling_options.h"
#include "proxy/node_facts.h"
#include "proxy/proxy_intake.h"
#include "proxy/service_health_servers.h"
#include "proxy/shared_health.h"
#include "proxy/sync_pace.h"
#include "proxy/watch_selection.h"

namespace proxima::proxy {
namespace {

using std::chrono::nanoseconds;
using Time = Clock::SteadyTime;

// How often it is looked whether everything is listed, at the start.
constexpr nanoseconds kListedCheck = std::chrono::milliseconds(10);
// How long the first write waits for what it can do without: the own Node, whose zone and
// addresses count, and service ranges, which old servers do not have.
constexpr nanoseconds kNodePatience = std::chrono::seconds(30);
constexpr nanoseconds kPodRangePatience = std::chrono::minutes(5);
constexpr nanoseconds kRangePatience = std::chrono::seconds(5);
constexpr std::string_view kExternalIpsGate = "AllowServiceExternalIPs";

bool gate(const ProxyConfig& config, std::string_view name) {
  const auto found = config.feature_gates.find(std::string(name));
  return found == config.feature_gates.end() || found->second;
}

NodeRoutesOptions route_options(const NodeProxyOptions& options,
                                const std::vector<FamilyPlane>& planes) {
  NodeRoutesOptions out;
  out.proxy_name = options.proxy_name;
  for (const FamilyPlane& plane : planes)
    out.rules.push_back(routing_rules(options.config, plane.family, {}));
  out.ports.routes_external_ips = gate(options.config, kExternalIpsGate);
  out.wishes = options.wishes;
  if (const auto gates = policy::known_feature_gates(options.config.feature_gates))
    out.wishes.defaults.gates = *gates;
  return out;
}

SyncIntervals intervals(const NodeProxyOptions& options) {
  return {.least = options.config.min_sync_period,
          .retry = options.config.sync_period,
          .most = std::max(options.check_period, options.config.min_sync_period)};
}

class RunningProxy final : public NodeProxy {
 public:
  RunningProxy(NodeProxyOptions options, NodeProxyPorts ports)
      : options_(std::move(options)),
        ports_(std::move(ports)),
        metrics_(ports_.metrics),
        intake_(metrics_),
        health_(2 * options_.config.sync_period, ports_.clock),
        node_(options_.node_name),
        sync_(route_options(options_, ports_.planes), ports_.planes,
              {ports_.clock, metrics_, ports_.log, ports_.flows, ports_.tell}),
        pace_(intervals(options_), ports_.clock.steady_now()) {
    for (const FamilyPlane& plane : ports_.planes)
      health_servers_.emplace_back(
          ServiceHealthOptions{.family = plane.family,
                               .node_name = options_.node_name,
                               .proxy_healthy = [this] { return health_.is_healthy(); },
                               .tell = ports_.tell},
          health_doors_, ports_.log);
  }
  ~RunningProxy() override { stop(); }

  void start() override;
  void stop() override;
  NodeProxyStatus status() const override;
  ProxyCaches& caches() override { return intake_; }
  HealthAnswer healthz() override;
  HealthAnswer livez() override;
  Result<std::string> debug_routes(const RouteFilter& filter) const override;

 private:
  template <class Record>
  void reflect(const kube::Resource& resource, kube::Cache<Record>& cache,
               kube::ReflectorOptions options);
  kube::ReflectorOptions reflector_options(const kube::Resource& resource) const;

  // The deciding thread.
  void decide();
  bool may_begin(Time now);
  bool node_is_good_enough(Time now);
  void look_round(Time now);
  void request();
  void round(Time now);
  void publish();
  void tell_refused(const std::vector<PortRoutesRef>& refused);
  void after_round(const RouteSync::Round& result, kube::Version slices_version);
  void give_up(const std::string& why);
  Time next_look() const;

  const NodeProxyOptions options_;
  NodeProxyPorts ports_;
  ProxyMetrics metrics_;
  ProxyIntake intake_;
  SharedHealth health_;
  net::Cancellation stopping_;
  std::vector<Thread> threads_;

  KnownNode node_;
  RouteSync sync_;
  SyncPace pace_;
  bool requested_ = false;
  std::optional<Time> listed_at_;  // when everything that must be listed was
  std::vector<IpAddress> local_addresses_;
  Time addresses_due_{};
  Time check_due_{};
  kube::Version routed_version_ = 0;  // see NodeProxyPorts::on_routed
  AnswerDoors health_doors_;
  std::vector<ServiceHealthServers> health_servers_;  // in the order of the planes

  mutable std::mutex mutex_;  // of what other threads read
  std::vector<RouteTable> published_;
  bool active_ = false;
  std::uint64_t rounds_ = 0;
};

kube::ReflectorOptions RunningProxy::reflector_options(const kube::Resource& resource) const {
  const auto tell = [&log = ports_.log](std::string_view what, const std::string& problem) {
    log.warning(what, {{"problem", problem}});
  };
  return kube::telling_options(resource, options_.seed, tell, stopping_);
}

template <class Record>
void RunningProxy::reflect(const kube::Resource& resource, kube::Cache<Record>& cache,
                           kube::ReflectorOptions options) {
  threads_.push_back(
      ports_.clock.start_thread([this, &resource, &cache, options = std::move(options)] {
        kube::Reflector<Record> reflector(ports_.api, ports_.clock, resource, cache, options);
        reflector.run(stopping_);
      }));
}

void RunningProxy::start() {
  if (stopping_.cancelled() || !threads_.empty()) return;
  const WatchSelection selection = watch_selection(options_.proxy_name);
  auto services = reflector_options(kube::kServices);
  services.label_selector = selection.service_labels;
  services.field_selector = selection.service_fields;
  reflect(kube::kServices, intake_.services, std::move(services));
  auto slices = reflector_options(kube::kEndpointSlices);
  slices.label_selector = selection.slice_labels;
  reflect(kube::kEndpointSlices, intake_.slices, std::move(slices));
  auto node = reflector_options(kube::kNodes);
  node.field_selector = "metadata.name=" + options_.node_name;
  reflect(kube::kNodes, intake_.nodes, std::move(node));
  reflect(kube::kServiceCidrs, intake_.ranges, reflector_options(kube::kServiceCidrs));
  threads_.push_back(ports_.clock.start_thread([this] { decide(); }));
}

void RunningProxy::stop() {
  stopping_.cancel();
  intake_.interrupt();
  for (Thread& thread : std::exchange(threads_, {})) thread.join();
}

void RunningProxy::decide() {
  while (!stopping_.cancelled()) {
    const ProxyIntake::Moment seen = intake_.now();
    const Time now = ports_.clock.steady_now();
    if (!may_begin(now)) {
      intake_.wait_beyond(seen, ports_.clock, now + kListedCheck);
      continue;
    }
    look_round(now);
    if (pace_.is_due(now)) {
      round(now);
    } else {
      intake_.wait_beyond(seen, ports_.clock, std::min(pace_.next_run(), next_look()));
    }
  }
}

// Written before everything is listed, the routes of Services that are still to come would be taken
// out of the kernel that an earlier process had put there.
bool RunningProxy::may_begin(Time now) {
  if (active_ || rounds_ > 0) return true;
  if (!intake_.waiting_for().empty()) return false;
  if (!listed_at_) listed_at_ = now;
  node_.look(intake_);
  if (!node_is_good_enough(now)) return false;
  if (!intake_.ranges.has_synced() && now - *listed_at_ < kRangePatience) return false;
  request();
  return true;
}

bool RunningProxy::node_is_good_enough(Time now) {
  const nanoseconds waited = now - *listed_at_;
  const bool needs_ranges = options_.config.detect_local_mode == "NodeCIDR";
  if (!needs_ranges) return node_.is_known() || waited >= kNodePatience;
  if (!node_.pod_ranges().empty()) return true;
  if (waited >= kPodRangePatience) {
    give_up("the Node \"" + options_.node_name +
            "\" has no Pod range, which --detect-local-mode NodeCIDR needs");
  }
  return false;
}

// What the node and the host say counts as soon as it is known.
void RunningProxy::look_round(Time now) {
  node_.look(intake_);
  if (now >= addresses_due_) {
    addresses_due_ = now + options_.config.sync_period;
    auto local = ports_.local_addresses();
    if (local) local_addresses_ = std::move(*local);
    if (!local) ports_.log.error("Failed to find the node's addresses", local.error().message);
  }
  NodeFacts facts = node_facts(options_.config, node_, intake_, local_addresses_);
  // Beside another proxy, an address that is none of ours may well be a Service of its.
  if (!options_.proxy_name.empty()) facts.service_ranges.clear();
  sync_.routes().set_node(node_.view());
  for (const FamilyPlane& plane : ports_.planes) {
    RoutingRules rules = routing_rules(options_.config, plane.family, facts);
    if (options_.allows_node_external_ips) rules.own_addresses.clear();
    sync_.routes().set_rules(std::move(rules));
  }
  if (intake_.has_changes() || sync_.routes().has_pending()) request();
}

// Addresses of the host are of interest where node ports are restricted to some, or Services must
// not take them.
Time RunningProxy::next_look() const {
  const bool concerned =
      !options_.config.node_port_addresses.empty() || !options_.allows_node_external_ips;
  return concerned ? addresses_due_ : Time::max();
}

// Once a Service: all its ports have the same addresses.
void RunningProxy::tell_refused(const std::vector<PortRoutesRef>& refused) {
  std::set<std::pair<std::string, std::string>> told;
  for (const PortRoutesRef& routes : refused) {
    const ServicePort& port = routes->port;
    const std::string name =
        std::string(port.key.ns.view()) + "/" + std::string(port.key.service.view());
    const std::string address = port.refused_ips.front().text();
    if (!told.emplace(name, address).second) continue;
    const policy::Note note{.reason = policy::Reason::ExternalIpOfNode, .subject = address};
    ports_.log.warning("Did not route an external address that is the node's own",
                       {{"service", name}, {"address", address}});
    ports_.tell({.about = {.api_version = "v1",
                           .kind = "Service",
                           .ns = std::string(port.key.ns.view()),
                           .name = std::string(port.key.service.view()),
                           .uid = {},
                           .resource_version = {},
                           .field_path = {}},
                 .type = kube::EventType::Warning,
                 .reason = "ExternalIPOfNode",
                 .message = "node " + options_.node_name + ": " + policy::sentence(note) + "; " +
                            policy::remedy(note)});
  }
}

void RunningProxy::request() {
  pace_.request();
  if (std::exchange(requested_, true)) return;
  for (const FamilyPlane& plane : ports_.planes) {
    health_.queued(plane.family);
    metrics_.queued(plane.family, ports_.clock.wall_now());
  }
}

void RunningProxy::round(Time now) {
  pace_.begin();
  requested_ = false;
  const ProxyIntake::Taken taken = intake_.take();
  for (const auto& change : taken.services)
    sync_.routes().change_service(change.before, change.now);
  for (const auto& change : taken.slices) sync_.routes().change_slice(change.before, change.now);
  for (const auto& change : taken.slice_events) sync_.note_slice(change);
  const bool checks = rounds_ > 0 && now >= check_due_;
  if (checks || rounds_ == 0) check_due_ = now + options_.check_period;
  const RouteSync::Round result = sync_.run(checks ? SyncDepth::Everything : SyncDepth::Changes);
  publish();
  tell_refused(result.refused);
  for (const IpFamily family : result.written) health_.updated(family);
  for (std::size_t i = 0; i < ports_.planes.size(); ++i) {
    const IpFamily family = ports_.planes[i].family;
    if (std::find(result.written.begin(), result.written.end(), family) == result.written.end())
      continue;
    health_servers_[i].sync(sync_.health_checks(family)->all(),
                            sync_.routes().table(family)->rules.node_ports);
  }
  const bool done = result.failed.empty() && !result.flows_left;
  pace_.end(ports_.clock.steady_now(),
            done ? SyncPace::Outcome::Success : SyncPace::Outcome::Failure);
  after_round(result, taken.slices_version);
}

void RunningProxy::give_up(const std::string& why) {
  ports_.on_hopeless(why);
  stopping_.cancel();
}

void RunningProxy::after_round(const RouteSync::Round& result, kube::Version slices_version) {
  if (!result.failed.empty()) return;
  if (slices_version > routed_version_ && ports_.on_routed)
    ports_.on_routed(slices_version, sync_.unreadable_services());
  routed_version_ = std::max(routed_version_, slices_version);
  if (result.written.empty() && !result.unsupported.empty()) {
    std::string why = "this kernel can hold routes of no family";
    for (const auto& [family, lacking] : result.unsupported)
      why += "; " + std::string(to_text(family)) + ": " + lacking;
    return give_up(why);
  }
  if (active_) return;
  {
    const std::lock_guard guard(mutex_);
    active_ = true;
  }
  if (ports_.on_active) ports_.on_active();
}

void RunningProxy::publish() {
  std::vector<RouteTable> tables;
  for (const FamilyPlane& plane : ports_.planes)
    tables.push_back(*sync_.routes().table(plane.family));
  if (ports_.on_view) {
    FlowView view{
        .tables = tables, .node_zone = node_.view().zone, .local_addresses = local_addresses_};
    std::sort(view.local_addresses.begin(), view.local_addresses.end());
    ports_.on_view(std::move(view));
  }
  const std::lock_guard guard(mutex_);
  published_ = std::move(tables);
  ++rounds_;
}

NodeProxyStatus RunningProxy::status() const {
  NodeProxyStatus status;
  status.waiting_for = intake_.waiting_for();
  const ProxyIntake::Waiting waiting = intake_.waiting();
  status.changed_services = waiting.services;
  status.changed_slices = waiting.slices;
  status.slice_events = waiting.slice_events;
  const std::lock_guard guard(mutex_);
  status.active = active_;
  status.rounds = rounds_;
  return status;
}

HealthAnswer RunningProxy::healthz() {
  const auto nodes = intake_.nodes.snapshot();
  HealthAnswer answer = health_.healthz(nodes.peek({{}, options_.node_name}));
  metrics_.probed(ProxyMetrics::Probe::Healthz, answer.status);
  return answer;
}

HealthAnswer RunningProxy::livez() {
  HealthAnswer answer = health_.livez();
  metrics_.probed(ProxyMetrics::Probe::Livez, answer.status);
  return answer;
}

Result<std::string> RunningProxy::debug_routes(const RouteFilter& filter) const {
  std::vector<RouteTable> tables;
  {
    const std::lock_guard guard(mutex_);
    tables = published_;
  }
  if (tables.empty()) {
    const std::string kinds = intake_.waiting_for();
    return Error{ErrorCode::Retry, "nothing is routed yet: waiting for " +
                                       (kinds.empty() ? "Node " + options_.node_name : kinds)};
  }
  std::string out = "{\"families\":[";
  for (const RouteTable& table : tables)
    out += (&table == tables.data() ? "" : ",") + render_routes(table, filter);
  return out + "]}\n";
}

}  // namespace

std::unique_ptr<NodeProxy> NodeProxy::create(NodeProxyOptions options, NodeProxyPorts ports) {
  return std::make_unique<RunningProxy>(std::move(options), std::move(ports));
}

}  // namespace proxima::proxy
