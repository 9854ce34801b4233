// SPDX-License-Identifier: Apache-2.0
// Keeps an agent from writing what it has written already, before its cache shows that, and from
// hurrying after a refusal. For one thread.
#pragma once

#include <map>
#include <string>

#include "base/clock.h"
#include "kube/record.h"

namespace proxima::agents {

class WriteBook {
 public:
  // So long after a failure it is tried again, after twice as long the next time, and so on.
  static constexpr std::chrono::milliseconds kRetryAfter{500};
  static constexpr std::chrono::seconds kRetryAfterMax{32};
  // A write that the cache does not show after so long changed nothing: it is forgotten.
  static constexpr std::chrono::seconds kForgottenAfter{10};

  // `seen` is the object's version in the cache; 0: it is not there.
  bool may_write(const std::string& key, kube::Version seen, Clock::SteadyTime now) const;
  // Any version after `seen` shows the write.
  void wrote(const std::string& key, kube::Version seen, Clock::SteadyTime now);
  void failed(const std::string& key, Clock::SteadyTime now);

  // The cache shows it, or it does not matter any more.
  void forget(const std::string& key) { entries_.erase(key); }
  // Drops what says nothing any more.
  void prune(Clock::SteadyTime now);
  // When something may be tried that may not be `now`; max(): nothing waits.
  Clock::SteadyTime next_try(Clock::SteadyTime now) const;

 private:
  struct Entry {
    kube::Version seen = 0;
    bool written = false;                // after `seen`
    Clock::SteadyTime holds_until;       // nothing is written before
    Clock::SteadyTime known_until;       // then it is forgotten, and with it the failures
    std::chrono::milliseconds delay{0};  // after the last failure
  };

  std::map<std::string, Entry> entries_;
};

}  // namespace proxima::agents
