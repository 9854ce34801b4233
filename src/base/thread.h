// SPDX-License-Identifier: Apache-2.0
// A thread that a Clock has started, see Clock::start_thread(). As std::thread: it must be joined
// before it is destroyed.
#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "base/check.h"

namespace proxima {

class Thread {
 public:
  // What runs: a thread of the system, or whatever else a Clock runs in its place.
  class Running {
   public:
    virtual ~Running() = default;
    // Returns when it has ended.
    virtual void join() = 0;
  };

  Thread() = default;
  explicit Thread(std::unique_ptr<Running> running) : running_(std::move(running)) {}
  Thread(Thread&&) = default;
  Thread& operator=(Thread&& other) noexcept {
    PROXIMA_CHECK(!joinable());
    running_ = std::move(other.running_);
    return *this;
  }
  ~Thread() { PROXIMA_CHECK(!joinable()); }

  bool joinable() const { return running_ != nullptr; }
  void join() {
    running_->join();
    running_.reset();
  }

 private:
  std::unique_ptr<Running> running_;
};

class SystemThread final : public Thread::Running {
 public:
  explicit SystemThread(std::function<void()> body) : thread_(std::move(body)) {}
  void join() override { thread_.join(); }

 private:
  std::thread thread_;
};

}  // namespace proxima
