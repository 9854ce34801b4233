// SPDX-License-Identifier: Apache-2.0
#include "web/proxy_traffic.h"

#include <algorithm>
#include <atomic>
#include <functional>

#include "base/guarded.h"
#include "core/model/labels.h"

namespace proxima::web {
namespace {

constexpr std::size_t kAskedAtOnce = 8;
constexpr const char* kPath = "/debug/flows";

std::string place_of(const ProxyPage& page) {
  return "the proxy of " + page.node + " at " + page.origin + page.path;
}

Error internal_error(const Breakdown& breakdown) {
  return {ErrorCode::Retry, "internal error: " + breakdown.what};
}

}  // namespace

ProxyTraffic::ProxyTraffic(const ProxyTrafficOptions& options, controller::ClusterCaches& caches,
                           Clock& clock)
    : options_(options), caches_(caches), clock_(clock), thread_([this] { run(); }) {}

ProxyTraffic::~ProxyTraffic() {
  {
    const std::lock_guard guard(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  stop_.cancel();
  thread_.join();
}

SeenWindow ProxyTraffic::window(std::chrono::seconds last) const {
  const std::lock_guard guard(mutex_);
  return windows_.window(clock_.steady_now(), last);
}

TrafficTotals ProxyTraffic::totals() const {
  const std::lock_guard guard(mutex_);
  return windows_.totals();
}

void ProxyTraffic::wanted() const {
  const std::lock_guard guard(mutex_);
  const Time now = clock_.steady_now();
  const bool was_idle = wanted_until_ <= now;
  wanted_until_ = now + options_.keep_asking;
  if (was_idle) changed_.notify_all();
}

std::optional<AskedProxies> ProxyTraffic::asked() const {
  const std::lock_guard guard(mutex_);
  AskedProxies out{.nodes = nodes_, .asked = picked_, .answered = answered_.size(), .problem = {}};
  if (!silent_.empty()) out.problem = silent_.begin()->second.problem;
  return out;
}

void ProxyTraffic::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const Time now = clock_.steady_now();
    if (wanted_until_ <= now) {
      forget();
      clock_.wait_until(lock, changed_, now + options_.keep_asking);
      continue;
    }
    lock.unlock();
    ask_all();
    lock.lock();
    while (!stopping_ && clock_.steady_now() < now + options_.period)
      clock_.wait_until(lock, changed_, now + options_.period);
  }
}

// What nobody looks at takes no memory.
void ProxyTraffic::forget() {
  windows_ = FlowWindows();
  answered_.clear();
  silent_.clear();
}

void ProxyTraffic::set_zones() {
  ZoneNames zones;
  caches_.nodes.snapshot().each([&](const auto& node) {
    const Text zone = kube::label(node->labels, model::kZoneLabel);
    if (!zone.view().empty()) zones.emplace(zone.view());
  });
  const std::lock_guard guard(mutex_);
  zones_ = std::move(zones);
}

std::vector<ProxyTraffic::Node> ProxyTraffic::pick_nodes() {
  std::vector<Node> all;
  caches_.nodes.snapshot().each([&](const auto& node) {
    if (!node->internal_ips.empty())
      all.push_back({std::string(node->meta.name.view()), node->internal_ips.front().text()});
  });
  std::vector<Node> picked = all;
  if (picked.size() > options_.nodes_max) {
    // By what has nothing to do with zones, and is the same every time.
    const std::hash<std::string> hash;
    const auto middle = picked.begin() + static_cast<std::ptrdiff_t>(options_.nodes_max);
    std::nth_element(picked.begin(), middle, picked.end(),
                     [&](const Node& a, const Node& b) { return hash(a.name) < hash(b.name); });
    picked.erase(middle, picked.end());
  }
  const std::lock_guard guard(mutex_);
  nodes_ = all.size();
  picked_ = picked.size();
  return picked;
}

void ProxyTraffic::forget_others(const std::vector<Node>& nodes) {
  std::set<std::string> names;
  for (const Node& node : nodes) names.insert(node.name);
  const std::lock_guard guard(mutex_);
  windows_.keep_only(names);
  std::erase_if(answered_, [&](const std::string& name) { return !names.contains(name); });
  std::erase_if(silent_, [&](const auto& entry) { return !names.contains(entry.first); });
}

bool ProxyTraffic::is_due(const Node& node) const {
  const std::lock_guard guard(mutex_);
  const auto silent = silent_.find(node.name);
  return silent == silent_.end() || silent->second.next_try <= clock_.steady_now();
}

void ProxyTraffic::ask_all() {
  set_zones();
  const std::vector<Node> nodes = pick_nodes();
  forget_others(nodes);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < nodes.size() && !stop_.cancelled(); i = next++)
      if (is_due(nodes[i])) ask(nodes[i]);
  };
  std::vector<std::thread> helpers;
  for (std::size_t i = 1; i < std::min(kAskedAtOnce, nodes.size()); ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
}

Result<ProxyReport> ProxyTraffic::fetch_report(const ProxyPage& page) const {
  const auto text = fetch(page, stop_);
  if (!text) return text.error();
  auto report = options_.parse(*text);
  if (report) return report;
  return std::move(report).error().in(place_of(page));
}

Result<ProxyReport> ProxyTraffic::fetch_guarded(const ProxyPage& page) const {
  Result<ProxyReport> report = ProxyReport();
  const auto breakdown = run_guarded([&] { report = fetch_report(page); });
  if (breakdown) return internal_error(*breakdown).in(place_of(page));
  return report;
}

// What the windows were in the middle of is not known after a breakdown: measuring begins anew.
Status ProxyTraffic::count_locked(const ProxyPage& page, ProxyReport& report, Time now) {
  const auto breakdown = run_guarded([&] {
    forget_unknown_zones(report, zones_);
    windows_.add(page.node, now, report);
  });
  if (!breakdown) return Unit{};
  windows_ = FlowWindows();
  return internal_error(*breakdown).in(place_of(page));
}

// A node answers what it wants. An answer that breaks an invariant of ours is a problem of that
// node, as one that cannot be read.
void ProxyTraffic::ask(const Node& node) {
  const ProxyPage page{.node = node.name,
                       .origin = proxy_origin(node.address, options_.port),
                       .path = kPath,
                       .token_file = options_.token_file};
  auto report = fetch_guarded(page);
  const std::lock_guard guard(mutex_);
  const Time now = clock_.steady_now();
  const Status counted = report ? count_locked(page, *report, now) : Status(report.error());
  if (counted) {
    answered_.insert(node.name);
    silent_.erase(node.name);
  } else {
    answered_.erase(node.name);
    silent_[node.name] = {.next_try = now + options_.silent_period,
                          .problem = counted.error().message};
  }
}

}  // namespace proxima::web
