// SPDX-License-Identifier: Apache-2.0
#include "web/flow_windows.h"

#include <algorithm>

namespace proxima::web {
namespace {

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
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Counts counts;
  for (const auto& [flow, count] : all) {
    if (counts.empty() || counts.back().first != flow) {
      counts.emplace_back(flow, count);
    } else {
      add_to(counts.back().second, count);
    }
  }
  return counts;
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

void FlowWindows::count(const Step& step) {
  for (const auto& [flow, more] : step.more) {
    totals_.requests += answered(more);
    totals_.failed += more.unanswered;
  }
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
    steps_.push_back({.node = name,
                      .begin = known->second.at,
                      .end = at,
                      .more = growth_of(known->second.counts, now)});
    count(steps_.back());
  }
  nodes_[name] = {.counts = std::move(now), .at = at};
}

void FlowWindows::keep_only(const std::set<std::string>& nodes) {
  const auto is_gone = [&](NameId node) { return !nodes.contains(std::string(names_[node])); };
  std::erase_if(nodes_, [&](const auto& entry) { return is_gone(entry.first); });
  std::erase_if(steps_, [&](const Step& step) { return is_gone(step.node); });
}

SeenWindow FlowWindows::window(Time now, std::chrono::seconds last) const {
  std::map<std::pair<NameId, Flow>, FlowCount> sums;
  std::map<NameId, std::pair<Time, Time>> spans;
  for (const Step& step : steps_) {
    if (step.end <= now - last) continue;
    spans.try_emplace(step.node, step.begin, step.end).first->second.second = step.end;
    for (const auto& [flow, more] : step.more) add_to(sums[{step.node, flow}], more);
  }
  SeenWindow window;
  for (const auto& [key, count] : sums) {
    const auto& [node, flow] = key;
    SeenTraffic row;
    row.service = names_[flow.service];
    row.from_zone = names_[flow.from];
    row.from_node = names_[node];
    row.to_zone = names_[flow.to];
    row.address = names_[flow.address];
    row.requests = answered(count);
    row.failed = count.unanswered;
    row.bytes = count.bytes;
    window.rows.push_back(std::move(row));
  }
  for (const auto& [node, span] : spans)
    window.seconds += std::chrono::duration<double>(span.second - span.first).count();
  if (!spans.empty()) window.seconds /= static_cast<double>(spans.size());
  return window;
}

}  // namespace proxima::web
