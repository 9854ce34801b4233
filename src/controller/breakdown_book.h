// SPDX-License-Identifier: Apache-2.0
// Services whose last sync an internal error stopped: whether that is news, and when they may be
// tried again. Safe for concurrent use.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "kube/backoff.h"

namespace proxima::controller {

class BreakdownBook {
 public:
  struct Noted {
    bool is_news = false;          // the first one, or another one than before
    kube::Duration again_after{};  // when nothing changes until then
  };
  Noted note(const std::string& service, const std::string& what, Clock::SteadyTime now);
  // The Service was synced, or is gone.
  void forget(const std::string& service);

  // Delay before syncing the Service again after a change. The same objects usually fail the same
  // way, so frequent changes must not keep a worker busy.
  kube::Duration wait_for(const std::string& service, Clock::SteadyTime now) const;

 private:
  struct Entry {
    std::string what;
    std::uint32_t failures = 0;  // before the last one
    Clock::SteadyTime last;
  };

  mutable std::mutex mutex_;
  std::map<std::string, Entry> services_;
};

}  // namespace proxima::controller
