// SPDX-License-Identifier: Apache-2.0
#include "web/flow_windows.h"

#include <algorithm>

#include "base/whole_number.h"

namespace proxima::web {
namespace {

constexpr std::size_t kSortedAtOnce = 10'000;
// Of a name besides its text: a view, and its place in a hash table.
constexpr std::size_t kBytesOfAName = 48;

void add_to(FlowCount& sum, const FlowCount& more) {
  sum.connections = saturating_sum(sum.connections, more.connections);
  sum.unanswered = saturating_sum(sum.unanswered, more.unanswered);
  sum.bytes = saturating_sum(sum.bytes, more.bytes);
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

NameId FlowWindows::name(std::string_view text) {
  const std::size_t known = names_.size();
  const NameId id = names_.intern(text);
  if (names_.size() > known) name_bytes_ += text.size() + kBytesOfAName;
  return id;
}

std::size_t FlowWindows::bytes() const {
  std::size_t flows = 0;
  for (const auto& [name, node] : nodes_) flows += node.counts.size();
  for (const Step& step : steps_) flows += step.counts.size() + step.more.size();
  return name_bytes_ + flows * sizeof(Counts::value_type);
}

// Names get other numbers, and so flows another order.
void FlowWindows::forget_unused_names() {
  const StringPool before = std::exchange(names_, StringPool());
  name_bytes_ = 0;
  std::vector<NameId> kept(before.size());
  const auto keep = [&](NameId old) {
    NameId& now = kept[old.value()];
    if (!now) now = name(before[old]);
    return now;
  };
  const auto keep_all = [&](Counts& counts) {
    for (auto& [flow, count] : counts)
      for (NameId* id : {&flow.service, &flow.from, &flow.to, &flow.address}) *id = keep(*id);
    merge(counts);
  };
  std::map<NameId, Node> nodes;
  for (auto& [name, node] : nodes_) {
    keep_all(node.counts);
    nodes.emplace(keep(name), std::move(node));
  }
  nodes_ = std::move(nodes);
  for (Step& step : steps_) {
    for (NameId& node : step.nodes) node = keep(node);
    keep_all(step.counts);
    keep_all(step.more);
  }
  names_used_ = names_.size();
}

void FlowWindows::make_room() {
  if (names_.size() > std::max(options_.names_kept, 2 * names_used_)) forget_unused_names();
  if (bytes() <= options_.bytes_max) return;
  forget_unused_names();
  if (bytes() <= options_.bytes_max) return;
  steps_.clear();
  nodes_.clear();
  forget_unused_names();
}

FlowWindows::Counts FlowWindows::counts_of(const ProxyReport& report) {
  Counts all;
  all.reserve(report.size());
  for (const ReportedFlow& flow : report)
    all.emplace_back(Flow{.service = name(flow.service),
                          .from = name(flow.from_zone),
                          .to = name(flow.to_zone),
                          .address = name(flow.address)},
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
    totals_.requests = saturating_sum(totals_.requests, answered(count));
    totals_.failed = saturating_sum(totals_.failed, count.unanswered);
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
  while (!steps_.empty() && steps_.front().end + options_.keep <= at) steps_.pop_front();
  make_room();
  const NameId name = this->name(node);
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
