// SPDX-License-Identifier: Apache-2.0
#include "agents/write_book.h"

#include <algorithm>

namespace proxima::agents {

bool WriteBook::may_write(const std::string& key, kube::Version seen, Clock::SteadyTime now) const {
  const auto found = entries_.find(key);
  if (found == entries_.end() || now >= found->second.holds_until) return true;
  return found->second.written && seen > found->second.seen;
}

void WriteBook::wrote(const std::string& key, kube::Version seen, Clock::SteadyTime now) {
  const Clock::SteadyTime end = now + kForgottenAfter;
  entries_[key] = {seen, true, end, end, {}};
}

void WriteBook::failed(const std::string& key, Clock::SteadyTime now) {
  Entry& entry = entries_[key];
  const auto delay =
      std::clamp<std::chrono::milliseconds>(2 * entry.delay, kRetryAfter, kRetryAfterMax);
  entry = {0, false, now + delay, now + delay + kForgottenAfter, delay};
}

void WriteBook::prune(Clock::SteadyTime now) {
  std::erase_if(entries_, [&](const auto& entry) { return now >= entry.second.known_until; });
}

Clock::SteadyTime WriteBook::next_try(Clock::SteadyTime now) const {
  Clock::SteadyTime next = Clock::SteadyTime::max();
  for (const auto& [key, entry] : entries_)
    if (entry.holds_until > now) next = std::min(next, entry.holds_until);
  return next;
}

}  // namespace proxima::agents
