// SPDX-License-Identifier: Apache-2.0
#include "controller/write_pace.h"

#include <algorithm>

namespace proxima::controller {

kube::Duration WritePace::wait_for(const std::string& service, Clock::SteadyTime now) const {
  const std::lock_guard guard(mutex_);
  const auto found = written_.find(service);
  if (found == written_.end()) return kube::Duration::zero();
  return std::max(kube::Duration::zero(), kube::Duration(found->second + spacing_ - now));
}

void WritePace::wrote(const std::string& service, Clock::SteadyTime now) {
  const std::lock_guard guard(mutex_);
  if (spacing_ <= kube::Duration::zero()) return;
  written_[service] = now;
  if (written_.size() > entries_max_) drop_old_locked(now);
}

void WritePace::drop_old_locked(Clock::SteadyTime now) {
  std::erase_if(written_, [&](const auto& entry) { return entry.second + spacing_ <= now; });
  // Seldom enough to cost nothing a write.
  entries_max_ = std::max(entries_max_, 2 * written_.size());
}

}  // namespace proxima::controller
