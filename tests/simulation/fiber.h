// SPDX-License-Identifier: Apache-2.0
// A function with a stack of its own that can be left in the middle and resumed later, all on one
// system thread. Stacks are kept for the next fiber.
#pragma once

#include <ucontext.h>

#include <functional>

namespace proxima::simulation {

class Fiber {
 public:
  // Does not run yet.
  explicit Fiber(std::function<void()> body);
  // What is on the stack of one that has not ended stays there for good: nothing is destroyed.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Runs it until it suspends itself or ends. Not from within a fiber.
  void resume();
  bool has_ended() const { return ended_; }
  // Leaves the fiber that runs; its next resume() returns here.
  void suspend();

 private:
  static void enter(unsigned high, unsigned low);
  void run();

  std::function<void()> body_;
  void* stack_ = nullptr;
  ucontext_t inside_{};
  ucontext_t outside_{};
  bool started_ = false;
  bool ended_ = false;
  // For AddressSanitizer, which has to know on which stack the program is.
  void* fake_inside_ = nullptr;
  void* fake_outside_ = nullptr;
  const void* outside_bottom_ = nullptr;
  std::size_t outside_size_ = 0;
};

}  // namespace proxima::simulation
