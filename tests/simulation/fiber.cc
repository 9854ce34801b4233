// SPDX-License-Identifier: Apache-2.0
#include "simulation/fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"

#if defined(__SANITIZE_ADDRESS__)
#define PROXIMA_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PROXIMA_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef PROXIMA_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace proxima::simulation {
namespace {

#ifdef PROXIMA_ADDRESS_SANITIZER
constexpr std::size_t kStackBytes = 4U << 20U;
#else
constexpr std::size_t kStackBytes = 512U << 10U;
#endif
constexpr std::size_t kGuardBytes = 4096;  // below the stack: an overflow must not go unnoticed

// Memory that is not touched costs nothing, so stacks are never given back.
std::vector<void*>& idle_stacks() {
  static std::vector<void*> stacks;
  return stacks;
}

void* take_stack() {
  std::vector<void*>& idle = idle_stacks();
  if (!idle.empty()) {
    void* const stack = idle.back();
    idle.pop_back();
    return stack;
  }
  void* const mapped = mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  PROXIMA_CHECK(mapped != MAP_FAILED);
  PROXIMA_CHECK(mprotect(mapped, kGuardBytes, PROT_NONE) == 0);
  return static_cast<char*>(mapped) + kGuardBytes;
}

#ifdef PROXIMA_ADDRESS_SANITIZER
void begin_switch(void** fake, const void* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(fake, bottom, size);
}
void end_switch(void* fake, const void** bottom, std::size_t* size) {
  __sanitizer_finish_switch_fiber(fake, bottom, size);
}
#else
void begin_switch(void** /*fake*/, const void* /*bottom*/, std::size_t /*size*/) {}
void end_switch(void* /*fake*/, const void** /*bottom*/, std::size_t* /*size*/) {}
#endif

}  // namespace

Fiber::Fiber(std::function<void()> body) : body_(std::move(body)) {}

Fiber::~Fiber() {
  if (stack_ != nullptr && ended_) idle_stacks().push_back(stack_);
}

void Fiber::enter(unsigned high, unsigned low) {
  const std::uint64_t bits = (std::uint64_t{high} << 32U) | low;
  reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>(bits))->run();
}

void Fiber::run() {
  end_switch(nullptr, &outside_bottom_, &outside_size_);
  body_();
  body_ = nullptr;
  ended_ = true;
  begin_switch(nullptr, outside_bottom_, outside_size_);  // this stack is left for good
  setcontext(&outside_);
}

void Fiber::resume() {
  PROXIMA_CHECK(!ended_);
  if (!std::exchange(started_, true)) {
    stack_ = take_stack();
    PROXIMA_CHECK(getcontext(&inside_) == 0);
    inside_.uc_stack.ss_sp = stack_;
    inside_.uc_stack.ss_size = kStackBytes;
    inside_.uc_link = nullptr;
    const auto bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(this));
    // makecontext() hands over nothing wider than an int.
    makecontext(&inside_, reinterpret_cast<void (*)()>(&Fiber::enter), 2,
                static_cast<unsigned>(bits >> 32U), static_cast<unsigned>(bits));
  }
  begin_switch(&fake_outside_, stack_, kStackBytes);
  PROXIMA_CHECK(swapcontext(&outside_, &inside_) == 0);
  end_switch(fake_outside_, nullptr, nullptr);
}

void Fiber::suspend() {
  begin_switch(&fake_inside_, outside_bottom_, outside_size_);
  PROXIMA_CHECK(swapcontext(&inside_, &outside_) == 0);
  end_switch(fake_inside_, &outside_bottom_, &outside_size_);
}

}  // namespace proxima::simulation
