// SPDX-License-Identifier: Apache-2.0
#include "controller/breakdown_book.h"

#include <algorithm>

namespace proxima::controller {
namespace {

using std::chrono::seconds;

constexpr kube::BackoffRange kOwnRetry = {seconds(1), seconds(1000)};
constexpr kube::BackoffRange kAfterChange = {seconds(1), seconds(30)};

}  // namespace

BreakdownBook::Noted BreakdownBook::note(const std::string& service, const std::string& what,
                                         Clock::SteadyTime now) {
  const std::lock_guard guard(mutex_);
  const auto [found, is_first] = services_.try_emplace(service);
  Entry& entry = found->second;
  const bool is_news = is_first || entry.what != what;
  entry = {.what = what, .failures = is_first ? 0 : entry.failures + 1, .last = now};
  return {is_news, kube::exponential_delay(kOwnRetry, entry.failures)};
}

void BreakdownBook::forget(const std::string& service) {
  const std::lock_guard guard(mutex_);
  services_.erase(service);
}

kube::Duration BreakdownBook::wait_for(const std::string& service, Clock::SteadyTime now) const {
  const std::lock_guard guard(mutex_);
  const auto found = services_.find(service);
  if (found == services_.end()) return {};
  const auto due =
      found->second.last + kube::exponential_delay(kAfterChange, found->second.failures);
  return std::max<kube::Duration>(due - now, kube::Duration::zero());
}

}  // namespace proxima::controller
