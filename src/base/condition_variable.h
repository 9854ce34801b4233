// SPDX-License-Identifier: Apache-2.0
// A condition variable for waits that a Clock carries out. System threads wait on it as on the
// standard one. A Clock that runs its own kind of threads follows it instead, to learn which of its
// waits are over. Safe for concurrent use.
#pragma once

#include <atomic>
#include <condition_variable>

namespace proxima {

class ConditionVariable {
 public:
  enum class Wakes { One, All };
  // Called on every notification by the notifying thread, often with the waiters' lock held, so it
  // must not block.
  class Follower {
   public:
    virtual ~Follower() = default;
    virtual void notified(const ConditionVariable& condition, Wakes wakes) = 0;
  };

  ConditionVariable() = default;
  ConditionVariable(const ConditionVariable&) = delete;
  ConditionVariable& operator=(const ConditionVariable&) = delete;

  void notify_one() {
    tell(Wakes::One);
    threads_.notify_one();
  }
  void notify_all() {
    tell(Wakes::All);
    threads_.notify_all();
  }

  // For clocks: where system threads wait, and who else is notified. The follower must live longer.
  std::condition_variable& threads() { return threads_; }
  void follow(Follower& follower) { follower_.store(&follower, std::memory_order_release); }

 private:
  void tell(Wakes wakes) {
    Follower* const follower = follower_.load(std::memory_order_acquire);
    if (follower != nullptr) follower->notified(*this, wakes);
  }

  std::condition_variable threads_;
  std::atomic<Follower*> follower_{nullptr};
};

}  // namespace proxima
