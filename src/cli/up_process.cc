// SPDX-License-Identifier: Apache-2.0
#include "cli/up_process.h"

#include <unistd.h>

#include "cli/kube_connection.h"
#include "cli/namespace_lab.h"
#include "cli/own_program.h"
#include "cli/simulated_lab.h"
#include "cli/version.h"
#include "lab/cluster_plan.h"
#include "web/access_token.h"

namespace proxima::cli {
namespace {

// The API is a thread of the same process: what limits clients elsewhere would only slow a lab
// down.
constexpr double kNoLimit = 0;
constexpr std::chrono::milliseconds kLookEvery{200};
constexpr std::chrono::seconds kPagePatience{10};
constexpr std::chrono::minutes kHistoryWindow{1};  // nobody in a lab is away for longer

// Of the example cluster: the lopsided service, and a zone that can be spared.
template <class T>
const T& second_or_first(const std::vector<T>& all) {
  return all.size() > 1 ? all[1] : all.front();
}

std::string part_line(const std::string& part, const std::string& what) {
  return "  " + part + std::string(part.size() < 16 ? 16 - part.size() : 1, ' ') + what;
}

web::ObjectNames names_in(const agents::LabStatus& status) {
  web::ObjectNames names;
  for (const agents::LabNodeStatus& node : status.nodes) names.nodes.insert(node.name);
  for (const agents::LabPodStatus& pod : status.pods) {
    names.services.insert(pod.services.begin(), pod.services.end());
    if (pod.ready) names.pods.insert(pod.ns + "/" + pod.name);
  }
  return names;
}

}  // namespace

UpProcess::UpProcess(Settings settings, Say say)
    : settings_(std::move(settings)), say_(std::move(say)) {}

UpProcess::~UpProcess() {
  scenario_.reset();
  web_.reset();
  lab_.reset();
  if (controller_) controller_->stop();
}

Status UpProcess::open_log() {
  PROXIMA_TRY(LogFile file, LogFile::open(settings_.place.logs() + "/up.log"), "log");
  log_file_.emplace(std::move(file));
  log_.emplace(telemetry::LogOptions{.verbosity = settings_.command.verbosity}, clock_,
               [this](std::string_view line) { write_log(line); });
  return Unit{};
}

Status UpProcess::start_api() {
  apiserver::ServerOptions options;
  options.data_directory = settings_.place.data();
  options.port = settings_.command.api_port;
  options.ranges.service_cidrs = {lab::service_range(IpFamily::V4).text(),
                                  lab::service_range(IpFamily::V6).text()};
  // What is thrown away need not survive a power failure.
  options.durability = settings_.place.kept() ? apiserver::StoreOptions::Durability::Full
                                              : apiserver::StoreOptions::Durability::Normal;
  options.retention.history = kHistoryWindow;
  options.log = [this](std::string_view line) { write_log(std::string(line) + "\n"); };
  PROXIMA_TRY(api_, ApiThread::start(std::move(options), clock_), "the Kubernetes API");
  say_(part_line("Kubernetes API", api_->url()));
  return Unit{};
}

Status UpProcess::start_controller() {
  controller_command_.kube.kubeconfig = api_->kubeconfig();
  controller_command_.kube.qps = kNoLimit;
  controller_command_.election.enabled = false;
  controller_command_.status.bind.port = 0;
  controller_command_.reports.bind = {.enabled = true};
  controller_command_.log.verbosity = settings_.command.verbosity;
  auto controller = std::make_unique<ControllerProcess>(
      controller_command_, [this](std::string_view line) { write_log(line); });
  Status prepared = controller->prepare();
  if (!prepared) return std::move(prepared).error().in("the controller");
  controller_ = std::move(controller);
  controller_->start();
  say_(part_line("Controller", controller_->status_url()));
  return Unit{};
}

Status UpProcess::connect() {
  auto connection = KubeConnection::find(controller_command_.kube);
  if (!connection) return std::move(connection).error();
  const auto on_warning = [this](std::string_view text) {
    log_->warning("The API server warns", {{"warning", text}});
  };
  PROXIMA_TRY(lab_api_, connection->connect({.qps = kNoLimit}, on_warning, clock_), "the lab");
  PROXIMA_TRY(web_api_, connection->connect({.qps = kNoLimit}, on_warning, clock_), "the page");
  return Unit{};
}

Status UpProcess::start_lab() {
  if (settings_.kind == LabKind::Simulated) {
    PROXIMA_TRY(lab_,
                start_simulated_lab({settings_.scenario.cluster, settings_.command.seed},
                                    {*lab_api_, clock_, *log_}),
                "the lab");
    say_(part_line("Lab", "simulated"));
  } else {
    NodeProxyOptions proxies;
    proxies.program = own_program();
    proxies.kubeconfig = api_->kubeconfig();
    proxies.api_port = api_->port();
    proxies.report_port = controller_->report_port();
    proxies.logs = settings_.place.logs();
    proxies.verbosity = settings_.command.verbosity;
    PROXIMA_TRY(lab_,
                start_namespace_lab(
                    {settings_.scenario.cluster, std::move(proxies), settings_.command.seed},
                    {*lab_api_, clock_, *log_}),
                "the lab");
    say_(part_line("Lab", "network namespaces"));
  }
  actions_.emplace(lab_->cluster());
  return Unit{};
}

Status UpProcess::start_web() {
  web::WebServerOptions options;
  options.address = settings_.command.web.address;
  options.port = settings_.command.web.port;
  PROXIMA_TRY(options.token, web::new_token(), "the page");
  options.version = version();
  options.plan = controller_->plan();
  const std::string token = options.token;
  PROXIMA_TRY(web_,
              web::WebServer::start(std::move(options), {.caches = controller_->caches(),
                                                         .api = *web_api_,
                                                         .clock = clock_,
                                                         .log = *log_,
                                                         .live = &lab_->source(),
                                                         .traffic = &lab_->source(),
                                                         .lab = &*actions_}),
              "the page");
  say_(part_line("Page", web_->url()));
  return settings_.place.publish({.process = ::getpid(),
                                  .url = web_->url(),
                                  .token = token,
                                  .kubeconfig = api_->kubeconfig()});
}

// In short steps: whoever loses patience is heard.
Status UpProcess::wait_for_lab(const std::function<bool()>& ended) {
  const auto deadline = clock_.steady_now() + kPatience;
  while (!ended()) {
    const auto now = clock_.steady_now();
    if (lab_->cluster().wait_until_ready(now + kLookEvery)) break;
    if (now < deadline) continue;
    say_("  The lab is not complete yet; its logs are in " + settings_.place.logs());
    return Unit{};
  }
  if (settings_.kind == LabKind::Namespaces)
    say_(part_line("Node proxies", std::to_string(lab_->proxies_ready()) + " ready"));
  return Unit{};
}

// Whoever is told that the lab is up looks at it at once.
Status UpProcess::wait_for_page(const std::function<bool()>& ended) {
  const web::ObjectNames names = names_in(lab_->cluster().status());
  const auto deadline = clock_.steady_now() + kPagePatience;
  while (!ended() && clock_.steady_now() < deadline) {
    if (web_->shows(names, clock_.steady_now() + kLookEvery)) break;
  }
  return Unit{};
}

Status UpProcess::play_scenario() {
  if (settings_.scenario.timeline.empty()) return Unit{};
  scenario_.emplace(settings_.scenario.timeline, lab_->cluster(), clock_, say_);
  return Unit{};
}

Status UpProcess::start(const std::function<bool()>& ended) {
  const std::function<Status()> steps[] = {
      [this] { return open_log(); },
      [this] { return start_api(); },
      [this] { return start_controller(); },
      [this] { return connect(); },
      [this] { return start_lab(); },
      [this] { return start_web(); },
      [this, &ended] { return wait_for_lab(ended); },
      [this, &ended] { return wait_for_page(ended); },
      [this] { return play_scenario(); },
  };
  for (const auto& step : steps) {
    if (ended()) return Unit{};
    Status done = step();
    if (!done) return done;
  }
  return Unit{};
}

// Of the API, which a kept cluster fills with more than its shape. Without the API's own.
std::vector<std::string> UpProcess::service_names() const {
  std::vector<std::string> names;
  controller_->caches().services.snapshot().each([&](const auto& service) {
    const std::string name =
        std::string(service->meta.ns.view()) + "/" + std::string(service->meta.name.view());
    if (name != "default/kubernetes") names.push_back(name);
  });
  return names;
}

UpSummary UpProcess::summary() const {
  const agents::LabStatus status = lab_->cluster().status();
  const agents::LabShape& shape = settings_.scenario.cluster;
  const std::vector<std::string> services = service_names();
  std::vector<std::string> zones;
  for (const agents::LabZoneStatus& zone : status.zones) zones.push_back(zone.name);
  return {.zones = zones.size(),
          .nodes = status.nodes.size(),
          .services = services.size(),
          .requests_per_second = status.requests_per_second,
          .simulated = settings_.kind == LabKind::Simulated,
          .kept = settings_.place.kept(),
          .page = web_->url_with_token(),
          .kubeconfig = api_->kubeconfig(),
          .logs = settings_.place.logs(),
          .program = callable_name(own_program(), process_environment()),
          .service = one_to_try(
              services, shape.services.empty() ? "" : second_or_first(shape.services).key()),
          .zone = one_to_try(zones, shape.zones.empty() ? "" : second_or_first(shape.zones).name)};
}

}  // namespace proxima::cli
