// SPDX-License-Identifier: Apache-2.0
#include "cli/proxy_servers.h"

#include "cli/argument_values.h"
#include "cli/version.h"
#include "proxy/config_document.h"
#include "proxy/flow_document.h"
#include "telemetry/process_metrics.h"

namespace proxima::cli {
namespace {

constexpr std::string_view kMode = "nftables";
constexpr const char* kComponent = "proxima-proxy";
// The release of Kubernetes whose kube-proxy it takes the place of.
constexpr const char* kEmulates = "1.36";

bool is_on(const proxy::ProxyConfig& config, const char* gate) {
  const auto found = config.feature_gates.find(gate);
  return found == config.feature_gates.end() || found->second;
}

WallTime process_start() {
  return WallTime() + std::chrono::duration_cast<WallTime::duration>(
                          std::chrono::duration<double>(telemetry::process_start_seconds()));
}

// ?service=NAMESPACE/NAME or ?namespace=NAMESPACE.
struct RouteQuery {
  std::string ns;
  std::string service;
};
RouteQuery route_query(const std::vector<net::QueryParameter>& query) {
  RouteQuery out;
  for (const net::QueryParameter& parameter : query) {
    if (parameter.name == "namespace") out.ns = parameter.value;
    if (parameter.name != "service") continue;
    const std::size_t slash = parameter.value.find('/');
    if (slash != std::string::npos) out.ns = parameter.value.substr(0, slash);
    out.service = slash == std::string::npos ? parameter.value : parameter.value.substr(slash + 1);
  }
  return out;
}

}  // namespace

ProxyServers::ProxyServers(Ports ports)
    : ports_(std::move(ports)),
      health_start_(ports_.clock, ports_.log),
      metrics_start_(ports_.clock, ports_.log) {}

Status ProxyServers::start() {
  const proxy::ProxyConfig& config = ports_.config;
  if (!config.healthz_bind_address.empty()) {
    Status started =
        start_or_fail(health_start_, "healthz " + config.healthz_bind_address,
                      "FailedToStartProxierHealthcheck", [this] { return serve_health(); });
    if (!started) return started;
  }
  if (config.metrics_bind_address.empty()) return Unit{};
  return start_or_fail(metrics_start_, "metrics " + config.metrics_bind_address,
                       "FailedToStartMetricServer", [this] { return serve_metrics(); });
}

void ProxyServers::stop() {
  health_start_.stop();
  metrics_start_.stop();
  health_.reset();
  metrics_.reset();
}

Status ProxyServers::start_or_fail(RetriedStart& retried, const std::string& what,
                                   const char* event, std::function<Status()> start) {
  if (!ports_.config.bind_address_hard_fail) {
    retried.begin(what, std::move(start));
    return Unit{};
  }
  Status started = start();
  if (!started)
    ports_.tell({.about = {.api_version = "v1", .kind = "Node", .name = ports_.node_name},
                 .type = kube::EventType::Warning,
                 .reason = event,
                 .message = started.error().message});
  return started;
}

proxy::HealthAnswer ProxyServers::health(std::string_view path) const {
  if (path == "/healthz") return ports_.proxy.healthz();
  if (path == "/livez") return ports_.proxy.livez();
  return {404,
          {{"Content-Type", "text/plain; charset=utf-8"}, {"X-Content-Type-Options", "nosniff"}},
          "404 page not found\n"};
}

Status ProxyServers::serve_health() {
  auto at = parse_bind_address(ports_.config.healthz_bind_address);
  if (!at) return std::move(at).error();
  auto server = proxy::AnswerServer::start({.address = at->address, .port = at->port},
                                           [this](std::string_view path) { return health(path); });
  if (!server) return std::move(server).error();
  health_ = std::move(*server);
  return Unit{};
}

telemetry::StatusPages ProxyServers::pages() const {
  telemetry::StatusPages out;
  out.ready.push_back({"routes", [this]() -> Status {
                         const proxy::NodeProxyStatus status = ports_.proxy.status();
                         if (status.active) return Unit{};
                         return Error{ErrorCode::Retry, "the routes are not in the kernel yet"};
                       }});
  out.pages.push_back({.path = "/proxyMode",
                       .content_type = "text/plain; charset=utf-8",
                       .answer = [](const auto&) { return std::string(kMode); }});
  out.pages.push_back({.path = "/configz", .answer = [this](const auto&) {
                         return proxy::render_config(ports_.config);
                       }});
  out.pages.push_back({.path = "/debug/routes", .answer = [this](const auto& query) {
                         const RouteQuery wanted = route_query(query);
                         return ports_.proxy.debug_routes({wanted.ns, wanted.service});
                       }});
  if (ports_.flows) {
    out.pages.push_back(
        {.path = "/debug/flows", .answer = [this](const auto& query) { return flows(query); }});
  }
  add_component_pages(out.pages);
  return out;
}

// Behind kube-proxy's gates.
void ProxyServers::add_component_pages(std::vector<telemetry::StatusPage>& pages) const {
  if (is_on(ports_.config, "ComponentFlagz")) {
    pages.push_back({.path = "/flagz", .respond = [this](const net::HttpRequest& request) {
                       return answer_flagz(request, kComponent, ports_.flags);
                     }});
  }
  if (!is_on(ports_.config, "ComponentStatusz")) return;
  const ComponentStatus status{.component = kComponent,
                               .binary_version = std::string(version()),
                               .emulation_version = kEmulates,
                               .started = process_start(),
                               .paths = telemetry::listed_paths(pages)};
  pages.push_back({.path = "/statusz", .respond = [this, status](const net::HttpRequest& request) {
                     return answer_statusz(request, status, ports_.clock.wall_now());
                   }});
}

Result<std::string> ProxyServers::flows(const std::vector<net::QueryParameter>& query) const {
  const RouteQuery wanted = route_query(query);
  std::string document;
  ports_.flows->read([&](const auto& accounts, const auto& statistics) {
    document = proxy::render_flows(accounts, statistics, {wanted.ns, wanted.service});
  });
  return document;
}

Status ProxyServers::serve_metrics() {
  auto at = parse_bind_address(ports_.config.metrics_bind_address);
  if (!at) return std::move(at).error();
  telemetry::StatusServerOptions options;
  options.address = at->address;
  options.port = at->port;
  options.authorize = [this](const auto& request) { return ports_.access.authorize(request); };
  options.remembered = [this](const auto& request) { return ports_.access.remembered(request); };
  options.broke_down = [&log = ports_.log](const std::string& what) {
    log.error("An internal error stopped a page", what);
  };
  auto server = telemetry::StatusServer::start(options, ports_.metrics, pages());
  if (!server) return std::move(server).error();
  metrics_ = std::move(*server);
  return Unit{};
}

}  // namespace proxima::cli
