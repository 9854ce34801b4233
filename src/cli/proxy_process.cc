// SPDX-License-Identifier: Apache-2.0
#include "cli/proxy_process.h"

#include "cli/proxy_flags.h"
#include "cli/proxy_take_over.h"
#include "cli/version.h"
#include "kube/leader_election.h"
#include "proxy/flow_metrics.h"
#include "proxy/flow_totals.h"
#include "proxy/local_addresses.h"
#include "telemetry/process_metrics.h"

namespace proxima::cli {
namespace {

constexpr const char* kEventComponent = "kube-proxy";

kube::ObjectReference node_reference(const std::string& name) {
  kube::ObjectReference node;
  node.api_version = "v1";
  node.kind = "Node";
  node.name = name;
  return node;
}

}  // namespace

ProxyProcess::ProxyProcess(const ProxyCommand& command, const ProxySettings& settings)
    : command_(command),
      settings_(settings),
      log_({.format = command.log.format, .verbosity = command.log.verbosity}, clock_,
           telemetry::write_to_stderr) {}

void ProxyProcess::tell(proxy::News news) {
  events_->record(news.about, news.type, std::move(news.reason), std::move(news.message));
}

Status ProxyProcess::connect() {
  const proxy::ClientConfig& client = settings_.config.client;
  KubeOptions where{.kubeconfig = client.kubeconfig, .context = command_.context};
  auto connection = KubeConnection::find(where);
  if (!connection) return std::move(connection).error();
  for (const std::string& warning : connection->warnings()) log_.warning(warning);
  const auto on_warning = [this](std::string_view text) {
    log_.warning("The API server warns", {{"warning", text}});
  };
  auto api =
      connection->connect({client.qps, static_cast<double>(client.burst)}, on_warning, clock_);
  if (!api) return std::move(api).error();
  api_ = std::move(*api);
  auto access = StatusAccess::create(
      *connection, {.audience = kProxyAudience, .limits = {.qps = 20, .burst = 40}}, clock_);
  if (!access) return std::move(access).error();
  access_ = std::move(*access);
  log_.info("Starting proxima proxy", {{"version", version()},
                                       {"server", connection->server()},
                                       {"node", settings_.node_name},
                                       {"proxyName", command_.service_proxy_name}});
  connection_ = std::move(*connection);
  return Unit{};
}

Status ProxyProcess::prepare() {
  for (const std::string& warning : settings_.warnings) log_.warning(warning);
  auto claim = proxy::ProxyClaim::take(command_.service_proxy_name);
  if (!claim) return std::move(claim).error();
  claim_ = std::move(*claim);
  PROXIMA_TRY(planes_,
              proxy::NodePlanes::open(
                  {.proxy_name = command_.service_proxy_name,
                   .masquerade_bit = settings_.config.masquerade_bit,
                   .on_sent =
                       [this](IpFamily family, const proxy::KernelOperations& operations) {
                         kernel_metrics_.sent(family, operations);
                       }}),
              "proxy");
  if (planes_->planes().size() == 1)
    log_.info("This kernel has no IPv6, or it is switched off; only IPv4 is routed");
  Status connected = connect();
  if (!connected) return connected;
  auto identity = kube::new_identity(settings_.node_name);
  if (!identity) return std::move(identity).error();
  const std::uint64_t seed = std::hash<std::string>()(*identity);
  kube::EventRecorderOptions events;
  events.source = {kEventComponent, settings_.node_name};
  events.seed = seed;
  events.on_problem = [this](const std::string& message) {
    log_.warning("An event could not be written", {{"problem", message}});
  };
  events_ = std::make_unique<kube::EventRecorder>(std::move(events), *api_, clock_);
  write_settings();
  open_flows();
  count_flows();
  Status reporting = prepare_reports(*identity);
  if (!reporting) return reporting;
  prepare_proxy(seed);
  return Unit{};
}

void ProxyProcess::write_settings() {
  std::vector<proxy::KernelSetting> wanted = kernel_settings(command_, settings_);
  wanted.push_back(proxy::process_setting(settings_.config));
  const proxy::SettingsWritten written = proxy::write_kernel_settings(wanted, {});
  for (const std::string& change : written.changed)
    log_.info("Changed a setting of the kernel", {{"setting", change}});
  for (const std::string& refusal : written.refused)
    log_.warning("A setting of the kernel stays as it is", {{"setting", refusal}});
}

void ProxyProcess::open_flows() {
  auto flows = proxy::ConntrackFlows::open();
  if (flows) {
    flows_.emplace(std::move(*flows));
  } else {
    log_.error(
        "Failed to open the connection tracking; UDP flows to backends that are gone will "
        "not be cut",
        flows.error().message);
  }
}

void ProxyProcess::count_flows() {
  if (!command_.flow_accounting) return;
  auto accounting = proxy::FlowAccounting::start(clock_, {});
  if (!accounting) {
    log_.error("Failed to listen to the connection tracking; connections will not be counted",
               accounting.error().message);
    return;
  }
  accounting_ = std::move(*accounting);
  proxy::show_flows(metrics_, accounting_->books());
}

Status ProxyProcess::prepare_reports(const std::string& instance) {
  // A proxy beside another one routes some Services only, and cannot speak for the node.
  if (command_.report_config_map.empty() || !command_.service_proxy_name.empty()) return Unit{};
  PROXIMA_TRY(kube::ObjectRef config_map, reports::report_config_map(command_.report_config_map),
              "--report-config-map");
  reports::ReportSenderPorts ports{
      .api = *api_,
      .clock = clock_,
      .log = log_,
      .connect =
          [this](const reports::ReportAddress& address) {
            return connection_->connect_to(
                {address.url, address.ca_pem, command_.report_token_file}, clock_);
          },
      .totals =
          [this] {
            reports::ConnectionTotals totals;
            if (accounting_)
              accounting_->books()->read([&](const proxy::FlowAccounts& accounts, const auto&) {
                totals = proxy::connection_totals(accounts);
              });
            return totals;
          }};
  reports_ = std::make_unique<reports::ReportSender>(
      reports::ReportSenderOptions{settings_.node_name, instance, std::move(config_map)},
      std::move(ports));
  return Unit{};
}

void ProxyProcess::prepare_proxy(std::uint64_t seed) {
  proxy::NodeProxyOptions options;
  options.config = settings_.config;
  options.node_name = settings_.node_name;
  options.proxy_name = command_.service_proxy_name;
  options.wishes.plans_by_itself = command_.plans_by_itself;
  options.allows_node_external_ips = command_.allows_node_external_ips;
  options.check_period = command_.check_period;
  options.seed = seed;
  proxy::NodeProxyPorts ports{
      .api = *api_,
      .clock = clock_,
      .metrics = metrics_,
      .log = log_,
      .planes = planes_->planes(),
      .flows = flows_ ? &*flows_ : nullptr,
      .local_addresses = proxy::fetch_local_addresses,
      .tell = [this](proxy::News news) { tell(std::move(news)); },
      .on_active = [this] { take_over(); },
      .on_view =
          [this](proxy::FlowView view) {
            if (accounting_) accounting_->publish(std::move(view));
          },
      .on_routed =
          [this](kube::Version version, std::vector<std::string> unreadable) {
            if (reports_) reports_->routed(version, std::move(unreadable));
          },
      .on_hopeless = [this](const std::string& why) { on_hopeless_(why); }};
  proxy_ = proxy::NodeProxy::create(std::move(options), std::move(ports));
  metrics_.gauges({.name = "proxima_build_info", .help = "Always 1.", .labels = {"version"}})
      .with({std::string(version())})
      .set(1);
  telemetry::add_process_metrics(metrics_);
  servers_ = std::make_unique<ProxyServers>(
      ProxyServers::Ports{.proxy = *proxy_,
                          .config = settings_.config,
                          .metrics = metrics_,
                          .clock = clock_,
                          .log = log_,
                          .tell = [this](proxy::News news) { tell(std::move(news)); },
                          .node_name = settings_.node_name,
                          .flows = accounting_ ? accounting_->books() : nullptr,
                          .flags = proxy_flag_values(command_),
                          .access = *access_});
}

Status ProxyProcess::start(std::function<void(const std::string&)> on_hopeless) {
  on_hopeless_ = std::move(on_hopeless);
  Status serving = servers_->start();
  if (!serving) {
    events_->flush();
    return serving;
  }
  events_->record(node_reference(settings_.node_name), kube::EventType::Normal, "Starting", "");
  if (reports_) reports_->start();
  proxy_->start();
  if (!command_.config_file.empty())
    config_guard_ =
        std::make_unique<FileGuard>(command_.config_file, settings_.file_mark, clock_, [this] {
          on_hopeless_("the configuration file " + command_.config_file +
                       " has changed; it counts from the next start on");
        });
  return Unit{};
}

// Ours are active: whatever kube-proxy left would only be in the way, and while both are there the
// ones that come first in a hook win.
void ProxyProcess::take_over() {
  if (!command_.service_proxy_name.empty()) return;
  take_over_from_kube_proxy(*planes_, command_.take_over ? TakeOver::Remove : TakeOver::Tell, log_);
}

void ProxyProcess::stop() {
  log_.info("Stopping: the rules stay in the kernel");
  config_guard_.reset();
  access_->stop();
  proxy_->stop();
  if (reports_) reports_->stop();
  servers_->stop();
  log_.info("Stopped");
}

}  // namespace proxima::cli
