// SPDX-License-Identifier: Apache-2.0
#include "controller/unseen_writes.h"

namespace proxima::controller {
namespace {

constexpr auto kWait = std::chrono::minutes(15);

}  // namespace

bool UnseenWrites::are_lost(const std::string& key) {
  const auto now = clock_.steady_now();
  const std::lock_guard guard(mutex_);
  return now - since_.emplace(key, now).first->second >= kWait;
}

void UnseenWrites::forget(const std::string& key) {
  const std::lock_guard guard(mutex_);
  since_.erase(key);
}

void UnseenWrites::forget_all() {
  const std::lock_guard guard(mutex_);
  since_.clear();
}

}  // namespace proxima::controller
