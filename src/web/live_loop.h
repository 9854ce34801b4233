// SPDX-License-Identifier: Apache-2.0
// Keeps the live state current, on a thread of its own. In a lab once a second, because what is
// measured changes all the time. In a cluster every 15 seconds for the history, more often while
// somebody looks, and in any case so seldom that it takes a few percent of one core at most.
// Methods may be called from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/clock.h"
#include "web/cluster_picture.h"
#include "web/event_log.h"
#include "web/live_history.h"
#include "web/live_source.h"
#include "web/load_window.h"
#include "web/measured_traffic.h"

namespace proxima::web {

struct LiveLoopOptions {
  std::string version;
  bool read_only = true;
  plan::PlanOptions plan;
  Money money;
};

struct LiveLoopPorts {
  controller::ClusterCaches& caches;
  const EventLog& events;
  Clock& clock;
  const LiveSource* live = nullptr;        // null: a cluster without a lab
  const TrafficSource* traffic = nullptr;  // null: nothing is measured
  std::function<void()> on_news;           // called on the loop's thread after every round
  // Told what an internal error was that stopped a round: once, until one succeeds or another
  // happens. The last state stays. May be empty.
  std::function<void(const std::string& what)> broke_down = {};
};

// The state as it was published last.
struct Published {
  std::uint64_t revision = 0;                   // 0: nothing yet
  std::shared_ptr<const std::string> document;  // JSON
  ClusterPicturePtr picture;
};

class LiveLoop {
 public:
  LiveLoop(LiveLoopOptions options, LiveLoopPorts ports);
  ~LiveLoop() { stop(); }
  LiveLoop(const LiveLoop&) = delete;
  LiveLoop& operator=(const LiveLoop&) = delete;

  void start();
  void stop();

  Published current() const;
  // The first that is newer than `revision`, or what there is at `end`.
  Published after(std::uint64_t revision, Clock::SteadyTime end);
  std::string history() const;
  // Asks for a state that is not out of date; has_answered(ticket) says when it is there.
  std::uint64_t ask();
  bool has_answered(std::uint64_t ticket) const;
  // A state that is not out of date, waited for. Without a picture: there was none in time, or the
  // loop is being stopped.
  Published fresh();
  // Somebody looks on, or does no longer.
  void begin_watching();
  void end_watching();

  static constexpr std::chrono::seconds kPatience{10};
  // Between two rounds in a cluster: so many times what a round took, and at least a second.
  static constexpr int kRestFactor = 30;
  // Between two points of a cluster's history: plans change seldom, and what is measured is of a
  // minute.
  static constexpr std::chrono::seconds kClusterStep{15};

 private:
  using SteadyTime = Clock::SteadyTime;
  void run();
  void round();
  void run_round();
  LiveState compose();
  void add_facts(LiveState& state) const;
  void add_traffic(const TrafficSource& traffic, LiveState& state);
  MeasuredWindows measure(const TrafficSource& traffic, const LiveState& state);
  void add_loads(const TrafficSource& traffic, std::int64_t second, MeasuredWindows& windows) const;
  bool is_wanted() const { return ports_.live != nullptr || watchers_ > 0 || asked_ > rounds_; }
  // When the next round is due after one that began at `begin`.
  SteadyTime next_round(SteadyTime begin) const;

  LiveLoopOptions options_;
  LiveLoopPorts ports_;
  ClusterReader reader_;
  SteadyTime started_;

  // Of the loop's thread alone.
  ClusterPicturePtr picture_;
  std::uint64_t changes_seen_ = 0;
  LiveState last_;
  LoadWindows load_windows_;
  std::string broken_by_;  // the last round, as it was told; empty: by nothing

  mutable std::mutex mutex_;
  ConditionVariable changed_;
  bool stopping_ = false;
  std::size_t watchers_ = 0;
  std::uint64_t rounds_ = 0;  // that are complete
  std::uint64_t asked_ = 0;   // the round that somebody waits for
  SteadyTime last_round_{};
  std::chrono::nanoseconds rest_ = std::chrono::seconds(1);
  Published published_;
  // Its document takes milliseconds, for which nobody else waits.
  mutable std::mutex history_mutex_;
  LiveHistory history_;
  std::thread thread_;
};

}  // namespace proxima::web
