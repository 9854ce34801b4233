// SPDX-License-Identifier: Apache-2.0
// Waiting for what other threads or the kernel will do, with an end. Tests have no other loops that
// poll.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace proxima::testing {

// Generous: a busy machine delays everything, and a condition that holds ends the wait at once. A
// shorter bound is for what must not happen.
inline constexpr std::chrono::seconds kPatience(60);

// Looks until `done` says true; false when it did not within `patience`.
inline bool eventually(const std::function<bool()>& done,
                       std::chrono::milliseconds patience = kPatience) {
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    never.wait_for(lock, std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace proxima::testing
