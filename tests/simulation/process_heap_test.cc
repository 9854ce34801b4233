// SPDX-License-Identifier: Apache-2.0
#include "simulation/process_heap.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>

namespace proxima::simulation {
namespace {

using Kilobyte = std::array<char, 1024>;

TEST(ProcessHeap, CountsForWhoeverAllocated) {
  const ProcessHeap one;
  const ProcessHeap other;
  const std::int64_t counted = ProcessHeap::counts() ? sizeof(Kilobyte) : 0;
  std::unique_ptr<Kilobyte> memory;
  {
    const ProcessHeap::Use use(one);
    memory = std::make_unique<Kilobyte>();
  }
  const auto worlds = std::make_unique<Kilobyte>();
  EXPECT_EQ(one.bytes(), counted);
  EXPECT_EQ(other.bytes(), 0);
  {
    const ProcessHeap::Use use(other);
    memory.reset();
  }
  EXPECT_EQ(one.bytes(), 0);
  EXPECT_EQ(other.bytes(), 0);
}

}  // namespace
}  // namespace proxima::simulation
