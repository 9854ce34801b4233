// SPDX-License-Identifier: Apache-2.0
// The last quarter of an hour, step by step: what was measured and what was planned then, of every
// service and in total. The plan is kept with its time, because today's says nothing of before. For
// one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "web/live_state.h"

namespace proxima::web {

inline constexpr std::int64_t kHistorySeconds = 15 * 60;
// Points of one step that changes may make, on average: memory has a bound where figures never
// rest.
inline constexpr std::int64_t kPointsOfAStep = 4;

class LiveHistory {
 public:
  // One point every so many seconds.
  explicit LiveHistory(std::int64_t step_seconds) : step_(step_seconds) {}

  // What the state says at `second` (Unix). A step has one point, and one more for each change of
  // figures, with its time. One that lies before the last is not taken: clocks that go back
  // make no history.
  void add(std::int64_t second, const LiveState& state);
  // {"step":1,"times":[…],"services":{…},"totals":{…}}; null where nothing is known. Steps that
  // nobody looked at are left out of `times`.
  std::string document() const;

 private:
  struct Sample {
    std::optional<double> local;
    std::optional<double> overload;
    std::optional<double> plan_local;
    std::optional<double> plan_overload;
    std::optional<double> rate;
    std::optional<double> failed;
    std::optional<double> cost;
    bool operator==(const Sample&) const = default;
  };
  struct Point {
    std::int64_t time = 0;
    std::map<std::string, Sample> services;
    Sample totals;
  };
  static Sample sample_of(const ServicePicture& service);
  static Sample totals_of(const LiveState& state);
  static Point point_of(std::int64_t time, const LiveState& state);

  static bool same_figures(const Point& a, const Point& b);
  // A new point in the place of the last: of the same second, or of the same step with nothing new.
  // The first of several that are alike stays: it has the time of the change.
  bool replaces_last(const Point& point) const;

  std::int64_t step_;
  std::deque<Point> points_;  // ascending
};

}  // namespace proxima::web
