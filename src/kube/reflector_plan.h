// SPDX-License-Identifier: Apache-2.0
// What a reflector does next, as a pure state machine: it is told what became of the last step. See
// reflector.h for the one that does the steps.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/api.h"
#include "kube/backoff.h"
#include "kube/list_page.h"

namespace proxima::kube {

// Where the first list comes from. Cached: the server's memory, which is cheap for it and may be a
// little old; it never goes back behind what was seen before. Consistent: the truth of that moment.
enum class ListFrom { Cache, Storage };

struct ReflectorTiming {
  JitteredBackoffOptions backoff;
  // A watch is asked for with a limit between this and twice as much.
  std::chrono::seconds watch_min{300};
  // A watch that ended earlier is no reason to come back at once.
  std::chrono::milliseconds watch_healthy{1000};
  // Silence after which a stream is given up. A server sends a bookmark every minute or so.
  std::chrono::milliseconds watch_idle{150'000};
  std::chrono::milliseconds list_idle{60'000};
};

struct ReflectorPlanOptions {
  ListFrom list_from = ListFrom::Cache;
  std::uint32_t page_size = 500;
  ReflectorTiming timing;
  std::uint64_t seed = 0;  // of all jitter
};

// How far a watch got.
struct WatchProgress {
  std::string resume;  // where the next one begins
  std::string newest;  // seen: a list must not be older
  // That were news. What is told again at every start must not count, or a watch that breaks at
  // the same place every time would look well.
  std::size_t events = 0;
};

// The next request. Of a list: the first page when there is no token.
struct ListStep {
  std::string resource_version;  // empty: the truth of this moment
  std::string continue_token;
  std::uint32_t limit = 0;  // 0: no pages
};
struct WatchStep {
  std::string resource_version;
  std::chrono::seconds timeout{0};
};
enum class StepKind { List, Watch };
// In parts: some items could not be read, so the list is to be asked for again after the next
// watch.
enum class ListTrust { Whole, InParts };

// Why a request came to nothing.
struct StepFailure {
  enum class Kind {
    NoAnswer,  // not reached, cut off, silent too long
    Refused,   // an answer that is not ok, or an error in a stream: see `refusal`
    Garbage,   // an answer that makes no sense
    Unsure,    // something may have been missed
  };
  Kind kind = Kind::NoAnswer;
  ApiFailure refusal;
};

bool is_expired(const ApiFailure& failure);
// The server is behind what we have seen, or its storage was set back.
bool is_too_large_version(const ApiFailure& failure);

class ReflectorPlan {
 public:
  explicit ReflectorPlan(const ReflectorPlanOptions& options);

  StepKind next() const { return next_; }
  ListStep list_step() const;
  WatchStep watch_step();
  // Whether the next page begins a list: whatever was read of an earlier one is void.
  bool is_first_page() const { return continue_token_.empty(); }

  // What became of a step. Those that return a time say how long to wait before the next one.
  // A page was read: the next one, or the watch, comes at once.
  void page_done(const ListMeta& meta, ListTrust trust = ListTrust::Whole);
  Duration list_failed(const StepFailure& failure, Clock::SteadyTime now);
  // `lasted`: how long the watch was open.
  Duration watch_ended(const WatchProgress& progress, Duration lasted);
  Duration watch_failed(const StepFailure& failure, const WatchProgress& progress,
                        Clock::SteadyTime now);

 private:
  void restart_list();
  void note(const WatchProgress& progress);
  Duration back_off(const StepFailure& failure, Clock::SteadyTime now);

  ReflectorPlanOptions options_;
  SplitMix random_;
  JitteredBackoff backoff_;
  StepKind next_ = StepKind::List;
  std::string resume_;  // where the next watch begins
  std::string newest_;  // seen in a list or a watch; empty: nothing yet
  bool version_unavailable_ = false;
  bool paged_ = true;
  bool list_after_watch_ = false;
  std::string continue_token_;
  std::uint32_t page_failures_ = 0;
  std::uint32_t garbage_watches_ = 0;  // in a row, without an event in between
};

}  // namespace proxima::kube
