// SPDX-License-Identifier: Apache-2.0
// The right to write, which ends by itself: whoever leads holds a guard that turns invalid when the
// leadership could not be renewed in time, by this process' own clock and before anybody else may
// lead. Safe for concurrent use.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "base/clock.h"

namespace proxima::kube {

// What the election knows; guards ask it.
class Leadership {
 public:
  // The clock must outlive it.
  explicit Leadership(Clock& clock) : clock_(clock) {}

  // Begins a term, or makes the present one longer. The number of the term.
  std::uint64_t lead_until(Clock::SteadyTime until);
  void end();
  // How much of `term` is left; none when it is over.
  std::optional<std::chrono::nanoseconds> left(std::uint64_t term) const;

 private:
  Clock& clock_;
  mutable std::mutex mutex_;
  std::uint64_t term_ = 0;
  std::optional<Clock::SteadyTime> until_;
};

// One term of leadership. Copies are the same term; once invalid, it never is valid again, even
// when the same process leads again.
class LeadershipGuard {
 public:
  LeadershipGuard(std::shared_ptr<const Leadership> leadership, std::uint64_t term)
      : leadership_(std::move(leadership)), term_(term) {}

  bool valid() const { return leadership_->left(term_).has_value(); }
  std::optional<std::chrono::nanoseconds> left() const { return leadership_->left(term_); }

 private:
  std::shared_ptr<const Leadership> leadership_;
  std::uint64_t term_;
};

}  // namespace proxima::kube
