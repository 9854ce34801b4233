// SPDX-License-Identifier: Apache-2.0
#include "web/flow_windows.h"

#include <algorithm>

namespace proxima::web {
namespace {

constexpr std::size_t kSortedAtOnce = 10'000;

void add_to(FlowCount& sum, const FlowCount& more) {
  sum.connections += more.connections;
  sum.unanswered += more.unanswered;
  sum.bytes += more.bytes;
}

FlowCount growth(const FlowCount& before, const FlowCount& now) {
  if (now.connections < before.connections || now.bytes < before.bytes) return now;
  const std::uint64_t unanswered =
      now.unanswered < before.unanswered ? 0 : now.unanswered - before.unanswered;
  return {.connections = now.connections - before.connections,
          .unanswered = unanswered,
          .bytes = now.bytes - before.bytes};
}

std::uint64_t answered(const FlowCount& count) {
  return count.connections - std::min(count.connections, count.unanswered);
}

}  // namespace

FlowWindows::Counts FlowWindows::counts_of(const ProxyReport& report) {
  Counts all;
  all.reserve(report.size());
  for (const ReportedFlow& flow : report)
    all.emplace_back(Flow{.service = names_.intern(flow.service),
                          .from = names_.intern(flow.from_zone),
                          .to = names_.intern(flow.to_zone),
                          .address = names_.intern(flow.address)},
                     flow.count);
  merge(all);
  return all;
}

// Sorts, and makes one of those that are alike.
void FlowWindows::merge(Counts& counts) {
  std::sort(counts.begin(), counts.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  auto last = counts.begin();
  for (auto one = counts.begin(); one != counts.end(); ++one) {
    if (one == last) continue;
    if (one->first == last->first) {
      add_to(last->second, one->second);
    } else {
      *++last = *one;
    }
  }
  if (!counts.empty()) counts.erase(last + 1, counts.end());
}

FlowWindows::Counts FlowWindows::growth_of(const Counts& before, const Counts& now) {
  Counts more;
  auto known = before.begin();
  for (const auto& [flow, total] : now) {
    while (known != before.end() && known->first < flow) ++known;
    const bool is_known = known != before.end() && known->first == flow;
    const FlowCount grown = is_known ? growth(known->second, total) : total;
    if (grown != FlowCount()) more.emplace_back(flow, grown);
  }
  return more;
}

FlowWindows::Step& FlowWindows::step_at(Time at) {
  if (steps_.empty() || at - steps_.back().begin >= options_.step) {
    if (!steps_.empty()) settle(steps_.back());
    steps_.push_back(
        {.begin = at, .end = at, .nodes = {}, .node_seconds = 0, .counts = {}, .more = {}});
  }
  steps_.back().end = at;
  return steps_.back();
}

void FlowWindows::put(Step& step, const Counts& more) {
  for (const auto& [flow, count] : more) {
    totals_.requests += answered(count);
    totals_.failed += count.unanswered;
  }
  step.more.insert(step.more.end(), more.begin(), more.end());
  // Seldom enough to cost little, and often enough to keep it small.
  if (step.more.size() > step.counts.size() + kSortedAtOnce) settle(step);
}

void FlowWindows::settle(Step& step) {
  step.counts.insert(step.counts.end(), step.more.begin(), step.more.end());
  step.more.clear();
  step.more.shrink_to_fit();
  merge(step.counts);
  step.counts.shrink_to_fit();
}

void FlowWindows::add(const std::string& node, Time at, const ProxyReport& report) {
  if (names_.size() > options_.names_max) {
    steps_.clear();
    nodes_.clear();
    names_ = StringPool();
  }
  while (!steps_.empty() && steps_.front().end + options_.keep <= at) steps_.pop_front();
  const NameId name = names_.intern(node);
  Counts now = counts_of(report);
  const auto known = nodes_.find(name);
  if (known != nodes_.end() && at - known->second.at <= options_.gap_max) {
    Step& step = step_at(at);
    step.nodes.push_back(name);
    step.node_seconds += std::chrono::duration<double>(at - known->second.at).count();
    put(step, growth_of(known->second.counts, now));
  }
  nodes_[name] = {.counts = std::move(now), .at = at};
}

void FlowWindows::keep_only(const std::set<std::string>& nodes) {
  std::erase_if(
      nodes_, [&](const auto& entry) { return !nodes.contains(std::string(names_[entry.first])); });
}

SeenWindow FlowWindows::window(Time now, std::chrono::seconds last) const {
  Counts sums;
  std::set<NameId> nodes;
  double node_seconds = 0;
  for (const Step& step : steps_) {
    if (step.end <= now - last) continue;
    nodes.insert(step.nodes.begin(), step.nodes.end());
    node_seconds += step.node_seconds;
    sums.insert(sums.end(), step.counts.begin(), step.counts.end());
    sums.insert(sums.end(), step.more.begin(), step.more.end());
    merge(sums);
  }
  SeenWindow window;
  window.rows.reserve(sums.size());
  for (const auto& [flow, count] : sums) {
    SeenTraffic row;
    row.service = names_[flow.service];
    row.from_zone = names_[flow.from];
    row.to_zone = names_[flow.to];
    row.address = names_[flow.address];
    row.requests = answered(count);
    row.failed = count.unanswered;
    row.bytes = count.bytes;
    window.rows.push_back(std::move(row));
  }
  if (!nodes.empty()) window.seconds = node_seconds / static_cast<double>(nodes.size());
  return window;
}

}  // namespace proxima::web
