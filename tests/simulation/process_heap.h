// SPDX-License-Identifier: Apache-2.0
// How much memory is held that a simulated process has allocated: bytes as they were asked for, so
// that equal simulations count the same. Sanitizers have allocators of their own, and there it is
// 0.
#pragma once

#include <cstdint>

namespace proxima::simulation {

class ProcessHeap {
 public:
  ProcessHeap();
  ProcessHeap(const ProcessHeap&) = delete;
  ProcessHeap& operator=(const ProcessHeap&) = delete;

  // Whether anything is counted here.
  static bool counts();
  // What is freed counts for whoever allocated it.
  std::int64_t bytes() const;

  // What is allocated meanwhile is the process's.
  class Use {
   public:
    explicit Use(const ProcessHeap& heap);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
  };

 private:
  std::uint32_t account_;
};

}  // namespace proxima::simulation
