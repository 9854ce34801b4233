// SPDX-License-Identifier: Apache-2.0
#include "cli/node_proxies.h"

#include "lab/cluster_plan.h"
#include "net/http_client.h"

namespace proxima::cli {
namespace {

constexpr std::uint16_t kStatusPort = 10249;  // of every proxy, in its own namespace
// The status is on this machine: what takes longer is not there.
constexpr net::Deadlines kProbeDeadlines = {.connect = std::chrono::milliseconds(500),
                                            .answer = std::chrono::milliseconds(1000),
                                            .idle = std::chrono::milliseconds(1000)};
constexpr std::chrono::hours kLongTime{1};

std::string range_of(IpFamily family) { return lab::pod_range(family).text(); }

std::string url_of(std::uint16_t port) { return "http://127.0.0.1:" + std::to_string(port); }

bool says_ready(const std::string& url, const net::Cancellation& cancellation) {
  net::HttpClientOptions options;
  options.origin = url;
  const auto client = net::HttpClient::create(std::move(options));
  if (!client) return false;
  net::HttpRequest request;
  request.target = "/readyz";
  const auto answer = net::fetch(**client, request, kProbeDeadlines, cancellation);
  return answer && answer->status == 200;
}

}  // namespace

Result<std::unique_ptr<NodeProxies>> NodeProxies::create(NodeProxyOptions options,
                                                         const Ports& ports) {
  std::unique_ptr<NodeProxies> out(new NodeProxies(std::move(options), ports));
  PROXIMA_TRY(out->processes_, lab::LabProcesses::create(), "node proxies");
  out->thread_ = std::thread([proxies = out.get()] { proxies->keep(); });
  return out;
}

NodeProxies::~NodeProxies() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  stopping_.cancel();
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  processes_.reset();  // all of them die; their rules go with the namespaces
}

agents::LabHooks NodeProxies::hooks() {
  agents::LabHooks out;
  out.node_added = [this](const std::string& node) { add(node); };
  out.node_removed = [this](const std::string& node) { remove(node); };
  out.node_power = [this](const std::string& node, agents::Power power) { set_power(node, power); };
  out.proxy_ready = [this](const std::string& node) { return ready(node); };
  return out;
}

void NodeProxies::add(const std::string& name) {
  auto host = ports_.network.host(name);
  if (!host) {
    ports_.log.error("No proxy for a node", host.error().message, {{"node", name}});
    return;
  }
  auto api = relays_.listen_inside(*host, options_.api_port, options_.api_port);
  auto status = relays_.listen_here(*host, kStatusPort);
  if (!api || !status) {
    ports_.log.error("No relays for a node", (!api ? api : status).error().message,
                     {{"node", name}});
    return;
  }
  Node node;
  if (options_.report_port != 0) {
    auto reports = relays_.listen_inside(*host, options_.report_port, options_.report_port);
    if (reports) node.reports.emplace(std::move(*reports));
    if (!reports)
      ports_.log.warning("No relay for reports of a node",
                         {{"node", name}, {"problem", reports.error().message}});
  }
  node.api.emplace(std::move(*api));
  node.status.emplace(std::move(*status));
  node.start_at = ports_.clock.steady_now();
  const std::lock_guard lock(mutex_);
  nodes_.insert_or_assign(name, std::move(node));
  wake_.notify_all();
}

void NodeProxies::remove(const std::string& name) {
  std::map<std::string, Node>::node_type gone;
  {
    const std::lock_guard lock(mutex_);
    gone = nodes_.extract(name);
  }
  if (!gone.empty() && gone.mapped().process) gone.mapped().process->kill();
}

void NodeProxies::set_power(const std::string& name, agents::Power power) {
  std::shared_ptr<lab::LabProcess> process;
  {
    const std::lock_guard lock(mutex_);
    const auto node = nodes_.find(name);
    if (node == nodes_.end()) return;
    node->second.power = power == agents::Power::On;
    node->second.ready = false;
    node->second.start_at = ports_.clock.steady_now();
    process = node->second.process;
    wake_.notify_all();
  }
  if (power == agents::Power::Off && process) process->kill();
}

void NodeProxies::on_end(const std::string& name, std::uint64_t start, const std::string& how) {
  const std::lock_guard lock(mutex_);
  const auto node = nodes_.find(name);
  if (node == nodes_.end() || node->second.start != start) return;
  node->second.process.reset();
  node->second.ready = false;
  if (node->second.power && !ending_)
    ports_.log.warning("A node proxy ended and is started again", {{"node", name}, {"how", how}});
  wake_.notify_all();
}

std::string NodeProxies::status_url(const std::string& node) const {
  const std::lock_guard lock(mutex_);
  const auto found = nodes_.find(node);
  return found == nodes_.end() ? "" : url_of(found->second.status->port());
}

bool NodeProxies::ready(const std::string& node) const {
  const std::lock_guard lock(mutex_);
  const auto found = nodes_.find(node);
  return found != nodes_.end() && found->second.ready;
}

NodeProxies::Count NodeProxies::count() const {
  const std::lock_guard lock(mutex_);
  Count count;
  for (const auto& [name, node] : nodes_) {
    if (node.power) ++count.wanted;
    if (node.power && node.ready) ++count.ready;
  }
  return count;
}

void NodeProxies::keep() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    const std::vector<std::string> to_start = due();
    const std::vector<std::string> to_ask = silent();
    lock.unlock();
    for (const std::string& name : to_start) start(name);
    for (const std::string& name : to_ask) ask(name);
    lock.lock();
    if (!ending_ && due().empty()) ports_.clock.wait_until(lock, wake_, next_look());
  }
}

std::vector<std::string> NodeProxies::due() const {
  std::vector<std::string> names;
  const auto now = ports_.clock.steady_now();
  for (const auto& [name, node] : nodes_)
    if (node.power && !node.process && node.start_at <= now) names.push_back(name);
  return names;
}

std::vector<std::string> NodeProxies::silent() const {
  std::vector<std::string> names;
  for (const auto& [name, node] : nodes_)
    if (node.power && node.process && !node.ready) names.push_back(name);
  return names;
}

Clock::SteadyTime NodeProxies::next_look() const {
  const auto now = ports_.clock.steady_now();
  auto next = now + kLongTime;
  if (!silent().empty()) next = now + kAskEvery;
  for (const auto& [name, node] : nodes_)
    if (node.power && !node.process) next = std::min(next, node.start_at);
  return next;
}

std::vector<std::string> NodeProxies::words(const std::string& name) const {
  return {options_.program, "proxy", "--kubeconfig=" + options_.kubeconfig,
          "--hostname-override=" + name, "--kube-api-qps=500", "--kube-api-burst=1000",
          "--cluster-cidr=" + range_of(IpFamily::V4) + "," + range_of(IpFamily::V6),
          "--nftables-min-sync-period=100ms",
          // Those of the machine are not the lab's to change.
          "--conntrack-max-per-core=0", "--conntrack-min=0",
          "--conntrack-tcp-timeout-established=0s", "--conntrack-tcp-timeout-close-wait=0s",
          "--oom-score-adj=0", "--metrics-bind-address=127.0.0.1:" + std::to_string(kStatusPort),
          "-v=" + std::to_string(options_.verbosity)};
}

// Without the lock: whoever starts a process waits for the thread that tells about their ends.
void NodeProxies::start(const std::string& name) {
  std::uint64_t start = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto node = nodes_.find(name);
    if (ending_ || node == nodes_.end() || !node->second.power) return;
    start = node->second.start = ++starts_;
    node->second.start_at = ports_.clock.steady_now() + kRestartSpacing;
  }
  auto host = ports_.network.host(name);
  if (!host) return;  // it is just being removed
  auto process = processes_->start(
      {.words = words(name), .at = *host, .log_file = options_.logs + "/proxy-" + name + ".log"},
      [this, name, start](const std::string& how) { on_end(name, start, how); });
  if (!process) {
    ports_.log.error("A node proxy cannot be started", process.error().message, {{"node", name}});
    return;
  }
  const std::lock_guard lock(mutex_);
  const auto node = nodes_.find(name);
  const bool wanted = node != nodes_.end() && node->second.start == start && node->second.power;
  if (!wanted) {
    (*process)->kill();
    return;
  }
  if ((*process)->alive()) node->second.process = std::move(*process);
}

void NodeProxies::ask(const std::string& name) {
  const std::string url = status_url(name);
  if (url.empty() || !says_ready(url, stopping_)) return;
  const std::lock_guard lock(mutex_);
  const auto node = nodes_.find(name);
  if (node != nodes_.end() && node->second.power && node->second.process) node->second.ready = true;
}

}  // namespace proxima::cli
