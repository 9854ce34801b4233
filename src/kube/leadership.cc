// SPDX-License-Identifier: Apache-2.0
#include "kube/leadership.h"

#include <algorithm>

namespace proxima::kube {

std::uint64_t Leadership::lead_until(Clock::SteadyTime until) {
  const std::lock_guard guard(mutex_);
  const bool over = !until_ || *until_ <= clock_.steady_now();
  if (over) ++term_;
  until_ = over ? until : std::max(*until_, until);
  return term_;
}

void Leadership::end() {
  const std::lock_guard guard(mutex_);
  until_.reset();
}

std::optional<std::chrono::nanoseconds> Leadership::left(std::uint64_t term) const {
  const std::lock_guard guard(mutex_);
  if (!until_ || term != term_) return std::nullopt;
  const auto left = *until_ - clock_.steady_now();
  if (left <= std::chrono::nanoseconds(0)) return std::nullopt;
  return left;
}

}  // namespace proxima::kube
