// SPDX-License-Identifier: Apache-2.0
#include "agents/write_book.h"

#include <algorithm>

namespace proxima::agents {

bool WriteBook::may_write(const std::string& key, kube::Version seen, Clock::SteadyTime now) const {
  const auto found = entries_.find(key);
  if (found == entries_.end() || now >= found->second.ends) return true;
  return found->second.written && seen > found->second.seen;
}

void WriteBook::wrote(const std::string& key, kube::Version seen, Clock::SteadyTime now) {
  entries_[key] = {seen, true, now + kForgottenAfter};
}

void WriteBook::failed(const std::string& key, Clock::SteadyTime now) {
  entries_[key] = {0, false, now + kRetryAfter};
}

void WriteBook::prune(Clock::SteadyTime now) {
  std::erase_if(entries_, [&](const auto& entry) { return now >= entry.second.ends; });
}

Clock::SteadyTime WriteBook::next_try() const {
  Clock::SteadyTime next = Clock::SteadyTime::max();
  for (const auto& [key, entry] : entries_) next = std::min(next, entry.ends);
  return next;
}

}  // namespace proxima::agents
