// SPDX-License-Identifier: Apache-2.0
// The last quarter of an hour, second by second: what was measured of every service, and in total.
// For one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "web/live_state.h"

namespace proxima::web {

inline constexpr std::size_t kHistorySeconds = 15 * 60;

class LiveHistory {
 public:
  // What the state says at `second` (Unix). A second that is there already is written over, and one
  // that lies before the last is not taken: clocks that go back make no history.
  void add(std::int64_t second, const LiveState& state);
  // {"step":1,"times":[…],"services":{…},"totals":{…}}; null where nothing is known. Seconds that
  // nobody looked at are left out of `times`.
  std::string document() const;

 private:
  struct Sample {
    std::optional<double> local;
    std::optional<double> overload;
    std::optional<double> rate;
    std::optional<double> failed;
    std::optional<double> cost;
  };
  struct Second {
    std::int64_t time = 0;
    std::map<std::string, Sample> services;
    Sample totals;
  };
  static Second second_of(std::int64_t time, const LiveState& state);

  std::deque<Second> seconds_;  // ascending
};

}  // namespace proxima::web
