// SPDX-License-Identifier: Apache-2.0
// What node proxies counted within the last minutes, from what they say that they have counted so
// far. A proxy that was started anew counts from nothing. Pure: time is an argument; for one
// thread.
#pragma once

#include <compare>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/string_pool.h"
#include "web/live_source.h"
#include "web/proxy_report.h"

namespace proxima::web {

struct FlowWindowsOptions {
  std::chrono::seconds keep{130};  // the longest window that can be asked for, and some
  // Reports are put together for so long: all nodes are one sum then, and memory is that of the
  // cluster's distinct flows.
  std::chrono::seconds step{10};
  // Between two reports of a node. After a longer silence counting begins anew: nobody knows when
  // what came meanwhile was.
  std::chrono::seconds gap_max{60};
  // Endpoints come and go. Names that nothing refers to any more are forgotten when there are so
  // many names, and twice as many as the last time.
  std::size_t names_kept = 100'000;
  // Of all that is remembered. Where nodes report so much that it is not enough, everything begins
  // anew.
  std::size_t bytes_max = 128U << 20U;
};

class FlowWindows {
 public:
  using Time = Clock::SteadyTime;
  explicit FlowWindows(FlowWindowsOptions options = {}) : options_(options) {}

  // What a node's proxy had counted at `at`, not before any other. The first of a node is where its
  // counting begins.
  void add(const std::string& node, Time at, const ProxyReport& report);
  // Other nodes are gone.
  void keep_only(const std::set<std::string>& nodes);
  // What was reported within the last seconds, of all nodes together; the seconds are those of an
  // average node.
  SeenWindow window(Time now, std::chrono::seconds last) const;
  TrafficTotals totals() const { return totals_; }
  // That names and counts take, about.
  std::size_t bytes() const;

 private:
  struct Flow {
    NameId service, from, to, address;
    friend auto operator<=>(const Flow&, const Flow&) = default;
  };
  using Counts = std::vector<std::pair<Flow, FlowCount>>;  // ascending, each flow once
  struct Node {
    Counts counts;  // since its proxy was started
    Time at;
  };
  struct Step {
    Time begin, end;            // of the reports in it
    std::vector<NameId> nodes;  // that reported
    double node_seconds = 0;    // that the reports are about
    Counts counts;
    Counts more;  // not sorted in yet
  };

  NameId name(std::string_view text);
  void forget_unused_names();
  void make_room();
  Counts counts_of(const ProxyReport& report);
  static Counts growth_of(const Counts& before, const Counts& now);
  static void merge(Counts& counts);
  Step& step_at(Time at);
  void put(Step& step, const Counts& more);
  static void settle(Step& step);

  FlowWindowsOptions options_;
  StringPool names_;
  std::size_t name_bytes_ = 0;
  std::size_t names_used_ = 0;  // when unused ones were forgotten
  std::map<NameId, Node> nodes_;
  std::deque<Step> steps_;  // ascending
  TrafficTotals totals_;
};

}  // namespace proxima::web
