// SPDX-License-Identifier: Apache-2.0
// How many files and sockets the test program has open, to show that nothing is left behind.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iterator>

namespace proxima::test {

inline std::size_t open_descriptors() {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

}  // namespace proxima::test
