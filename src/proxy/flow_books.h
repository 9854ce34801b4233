// SPDX-License-Identifier: Apache-2.0
// What was counted of connections, and how that went: written by the thread that counts, read by
// those who show it. Safe for concurrent use.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>

#include "proxy/flow_accounts.h"

namespace proxima::proxy {

struct FlowStatistics {
  std::uint64_t events = 0;              // ends of connections that were told
  std::uint64_t events_lost = 0;         // times that the kernel could not keep what it had to tell
  std::uint64_t looks = 0;               // at all connections
  std::uint64_t failures = 0;            // to read events or connections
  std::chrono::nanoseconds look_time{};  // of the last look
};

class FlowBooks {
 public:
  explicit FlowBooks(FlowAccountsOptions options) : accounts_(options) {}

  using Reader = std::function<void(const FlowAccounts&, const FlowStatistics&)>;
  using Writer = std::function<void(FlowAccounts&, FlowStatistics&)>;
  void read(const Reader& reader) const {
    const std::lock_guard lock(mutex_);
    reader(accounts_, statistics_);
  }
  void write(const Writer& writer) {
    const std::lock_guard lock(mutex_);
    writer(accounts_, statistics_);
  }

 private:
  mutable std::mutex mutex_;
  FlowAccounts accounts_;
  FlowStatistics statistics_;
};

}  // namespace proxima::proxy
