// SPDX-License-Identifier: Apache-2.0
// How much memory this process has.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace proxima::support {

inline std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace proxima::support
