// SPDX-License-Identifier: Apache-2.0
#include "controller/follow_book.h"

#include <algorithm>

#include "base/whole_number.h"

namespace proxima::controller {
namespace {

using Lag = plan::PlanFollowing::Lag;
using reports::kReportPeriod;
using std::chrono::seconds;

std::string published_service(const kube::EndpointSliceRecord& slice) {
  if (slice.service.view().empty()) return {};
  return kube::to_text(kube::ObjectKey{slice.meta.ns.view(), slice.service.view()});
}

}  // namespace

void FollowBook::change_node(const kube::Change<kube::NodeRecord>& change, Time now) {
  const std::lock_guard lock(mutex_);
  const std::string name((change.now ? change.now : change.before)->meta.name.view());
  const bool ready = change.now && change.now->ready;
  const auto found = nodes_.find(name);
  const bool was_ready = found != nodes_.end() && found->second.ready;
  if (ready == was_ready && change.now) return;
  if (was_ready && !ready) --ready_nodes_;
  summary_.at.reset();
  if (!change.now) {
    if (found != nodes_.end()) nodes_.erase(found);
    return;
  }
  ReportingNode& node = nodes_[name];
  node.ready = ready;
  if (!ready) return;
  node.ready_since = now;
  ++ready_nodes_;
}

void FollowBook::change_slice(const kube::Change<kube::EndpointSliceRecord>& change, Time now) {
  const std::lock_guard lock(mutex_);
  const std::string before = change.before ? published_service(*change.before) : std::string();
  const std::string after = change.now ? published_service(*change.now) : std::string();
  for (const std::string& service : {before, after}) {
    if (service.empty()) continue;
    PublishedService& published = services_[service];
    if (change.version <= published.version) continue;
    published.version = change.version;
    published.since = now;
  }
  if (before != after && !after.empty()) ++services_[after].slices;
  if (before != after && !before.empty() && --services_[before].slices == 0)
    services_.erase(before);
}

std::int64_t FollowBook::spacing_locked() const {
  return std::clamp<std::int64_t>(ready_nodes_ / kReportsPerSecondMax,
                                  reports::kReportSpacingMin.count(),
                                  reports::kReportSpacingMax.count());
}

std::int64_t FollowBook::report(const reports::NodeReport& report, Time now) {
  const std::lock_guard lock(mutex_);
  const auto found = nodes_.find(report.node);
  // Of a Node that is gone, or not known yet: the next report may find it.
  if (found == nodes_.end()) return spacing_locked();
  ReportingNode& node = found->second;
  const bool same_process = node.heard && node.instance == report.instance;
  // A report that was sent before another one can arrive after it, and must not undo it. The routes
  // of a process never go back.
  if (same_process &&
      (report.sequence < node.sequence || report.slices_version < node.slices_version))
    return spacing_locked();
  if (!same_process || report.sequence > node.sequence) count_locked(report, now);
  node.heard = now;
  node.instance = report.instance;
  node.sequence = report.sequence;
  node.slices_version = report.slices_version;
  node.unreadable = {report.unreadable.begin(), report.unreadable.end()};
  return spacing_locked();
}

void FollowBook::count_locked(const reports::NodeReport& report, Time now) {
  for (const reports::CountedConnections& counted : report.connections) {
    const auto found = services_.find(counted.service);
    if (found == services_.end()) continue;
    PublishedService& service = found->second;
    if (now - service.window_start >= kMeasuredWindow) {
      const bool long_ago = now - service.window_start >= 2 * kMeasuredWindow;
      service.past = long_ago ? Window() : service.present;
      service.present = {};
      service.window_start = now;
    }
    Window& window = service.present;
    window.connections = saturating_sum(window.connections, counted.connections);
    window.local = saturating_sum(window.local, counted.local);
  }
}

std::chrono::nanoseconds FollowBook::silence_locked(const ReportingNode& node, Time now) const {
  return now - node.heard.value_or(std::max(node.ready_since, started_));
}

const FollowBook::Summary& FollowBook::summary_locked(Time now) const {
  if (summary_.at && now - *summary_.at < kSummaryAge) return summary_;
  const seconds silent_after = kSilentPeriods * std::max(kReportPeriod, seconds(spacing_locked()));
  Summary summary;
  summary.at = now;
  for (const auto& [name, node] : nodes_) {
    if (!node.ready) continue;
    const auto silence = silence_locked(node, now);
    if (silence > silent_after) {
      ++summary.silent;
      if (silence <= summary.silent_for) continue;
      summary.silent_for = silence;
      summary.silent_node = name;
    } else if (!node.heard) {
      summary.undecided = true;
    } else {
      summary.heard.emplace_back(node.slices_version, name);
      for (const std::string& service : node.unreadable)
        summary.unreadable[service].push_back(name);
    }
  }
  std::sort(summary.heard.begin(), summary.heard.end());
  return summary_ = std::move(summary);
}

std::optional<plan::PlanFollowing> FollowBook::following(std::string_view key, Time now) const {
  const std::lock_guard lock(mutex_);
  const auto found = services_.find(key);
  const Summary& summary = summary_locked(now);
  if (found == services_.end() || summary.undecided) return std::nullopt;
  const PublishedService& service = found->second;
  plan::PlanFollowing out{.plan = service.version,
                          .nodes = ready_nodes_,
                          .reporting = static_cast<std::uint32_t>(summary.heard.size())};
  out.following = out.reporting;
  const auto lags = [&](Lag lag, std::size_t nodes, const std::string& node,
                        std::chrono::nanoseconds since) {
    out.following -= static_cast<std::uint32_t>(nodes);
    out.lag = lag;
    out.lagging_node = node;
    out.lagging_for = std::chrono::duration_cast<seconds>(since);
  };
  if (summary.silent > 0) lags(Lag::Silent, 0, summary.silent_node, summary.silent_for);
  const auto age = now - service.since;
  const auto reached = std::lower_bound(summary.heard.begin(), summary.heard.end(),
                                        std::pair(service.version, std::string()));
  const bool late = age > kFollowGrace + seconds(spacing_locked());
  if (late && reached != summary.heard.begin())
    lags(Lag::Behind, static_cast<std::size_t>(reached - summary.heard.begin()),
         summary.heard.front().second, age);
  // One that cannot read a plan is not behind: it has reported about this one.
  const auto unreadable = summary.unreadable.find(key);
  if (unreadable != summary.unreadable.end() && out.lag != Lag::Behind)
    lags(Lag::CannotRead, unreadable->second.size(), unreadable->second.front(), {});
  measure(service, now, out);
  return out;
}

void FollowBook::measure(const PublishedService& service, Time now, plan::PlanFollowing& out) {
  const auto age = now - service.window_start;
  if (age >= 2 * kMeasuredWindow) return;
  const std::uint64_t past = age < kMeasuredWindow ? service.past.connections : 0;
  const std::uint64_t past_local = age < kMeasuredWindow ? service.past.local : 0;
  const std::uint64_t connections = saturating_sum(service.present.connections, past);
  if (connections < kMeasuredConnectionsMin) return;
  out.connections = connections;
  out.local_share = static_cast<double>(saturating_sum(service.present.local, past_local)) /
                    static_cast<double>(connections);
}

}  // namespace proxima::controller
