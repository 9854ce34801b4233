// SPDX-License-Identifier: Apache-2.0
// Connections of one client that are kept for the next request. Safe for concurrent use.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "net/client_connection.h"

namespace proxima::net {

class IdlePool {
 public:
  explicit IdlePool(std::size_t max) : max_(max) {}

  // The one that was put last; nullptr when there is none that looks good.
  std::unique_ptr<ClientConnection> take() {
    while (auto idle = pop()) {
      const bool is_fresh = std::chrono::steady_clock::now() - idle->since < kIdleMax;
      if (is_fresh && !idle->connection->is_disturbed()) return std::move(idle->connection);
    }
    return nullptr;
  }
  void put(std::unique_ptr<ClientConnection> connection) {
    connection->detach();
    const std::lock_guard lock(mutex_);
    if (idle_.size() >= max_) return;
    idle_.push_back({std::move(connection), std::chrono::steady_clock::now()});
  }

 private:
  // Less than servers and address translators allow.
  static constexpr std::chrono::seconds kIdleMax{90};

  struct Idle {
    std::unique_ptr<ClientConnection> connection;
    std::chrono::steady_clock::time_point since;
  };
  std::optional<Idle> pop() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::nullopt;
    std::optional<Idle> last(std::move(idle_.back()));
    idle_.pop_back();
    return last;
  }

  std::size_t max_;
  std::mutex mutex_;
  std::vector<Idle> idle_;
};

}  // namespace proxima::net
