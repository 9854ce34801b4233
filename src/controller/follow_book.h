// SPDX-License-Identifier: Apache-2.0
// Which nodes route what is published, from the reports of their proxies. EndpointSlices reach
// every node in the order of their resourceVersions, so one number says of a node which plans it
// follows, however many Services there are: memory grows with nodes and Services, never with their
// product. No I/O and no clock. Safe for concurrent use.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "core/plan/conditions.h"
#include "kube/cache.h"
#include "kube/endpoint_slice_record.h"
#include "kube/node_record.h"
#include "reports/node_report.h"

namespace proxima::controller {

// A plan is not late before it is this old, besides what lies between two reports.
inline constexpr std::chrono::seconds kFollowGrace{5};
// A node is silent after so many report periods without a report.
inline constexpr int kSilentPeriods = 3;
// Fewer connections than this say nothing about shares.
inline constexpr std::uint64_t kMeasuredConnectionsMin = 100;
// Shares are those of the present window and the one before.
inline constexpr std::chrono::minutes kMeasuredWindow{5};
// Answers may be this old.
inline constexpr std::chrono::seconds kSummaryAge{1};
// Reports that a controller takes per second; proxies leave more time between two where more nodes
// would exceed it.
inline constexpr std::int64_t kReportsPerSecondMax = 200;

class FollowBook {
 public:
  using Time = Clock::SteadyTime;

  // `now`: when it starts to listen. Nodes that have not reported are not silent before they had
  // the time to.
  explicit FollowBook(Time now) : started_(now) {}

  void change_node(const kube::Change<kube::NodeRecord>& change, Time now);
  void change_slice(const kube::Change<kube::EndpointSliceRecord>& change, Time now);
  // How many seconds a proxy should leave between two reports.
  std::int64_t report(const reports::NodeReport& report, Time now);

  // Of the Service "shop/web". nullopt: none of its slices were published, or proxies did not have
  // the time to report. Costs little, and may be a second behind the reports.
  std::optional<plan::PlanFollowing> following(std::string_view key, Time now) const;

 private:
  struct ReportingNode {
    bool ready = false;  // the Node is there and ready
    Time ready_since{};
    std::optional<Time> heard;  // the last report
    std::string instance;
    std::uint64_t sequence = 0;
    std::uint64_t slices_version = 0;
    std::set<std::string, std::less<>> unreadable;
  };
  struct Window {
    std::uint64_t connections = 0;
    std::uint64_t local = 0;
  };
  struct PublishedService {
    std::uint64_t version = 0;
    Time since{};
    std::uint32_t slices = 0;
    Window present, past;
    Time window_start{};
  };
  using Nodes = std::map<std::string, ReportingNode, std::less<>>;

  // What all Services share, worked out once for many questions.
  struct Summary {
    std::optional<Time> at;
    std::vector<std::pair<std::uint64_t, std::string>> heard;  // slices_version and node, ascending
    std::map<std::string, std::vector<std::string>, std::less<>> unreadable;  // nodes by Service
    std::uint32_t silent = 0;
    std::string silent_node;  // the one that is silent for the longest time
    std::chrono::nanoseconds silent_for{0};
    bool undecided = false;  // some node did not have the time to report
  };

  std::int64_t spacing_locked() const;
  std::chrono::nanoseconds silence_locked(const ReportingNode& node, Time now) const;
  void count_locked(const reports::NodeReport& report, Time now);
  const Summary& summary_locked(Time now) const;
  static void measure(const PublishedService& service, Time now, plan::PlanFollowing& out);

  mutable std::mutex mutex_;
  Time started_;
  Nodes nodes_;
  std::uint32_t ready_nodes_ = 0;
  std::map<std::string, PublishedService, std::less<>> services_;
  mutable Summary summary_;
};

}  // namespace proxima::controller
