// SPDX-License-Identifier: Apache-2.0
// Since when a cache has not shown what was written for a key. Safe for concurrent use.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "base/clock.h"

namespace proxima::controller {

class UnseenWrites {
 public:
  explicit UnseenWrites(const Clock& clock) : clock_(clock) {}

  // The cache does not show them now. Whether they have to be given up: a write that is not shown
  // after so long was undone before anybody looked, and to wait longer would be to wait for ever.
  // Time counts and not tries: every change of a Pod is one, and a silent watch is noticed after
  // minutes.
  bool are_lost(const std::string& key);
  // The cache shows them.
  void forget(const std::string& key);
  void forget_all();

 private:
  const Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, Clock::SteadyTime> since_;
};

}  // namespace proxima::controller
