// SPDX-License-Identifier: Apache-2.0
// What this process has cost so far.
#pragma once

#include <sys/resource.h>

namespace proxima {

// User and system time of all its threads together, or of one: RUSAGE_THREAD.
inline double processor_seconds(int who = RUSAGE_SELF) {
  rusage usage{};
  getrusage(who, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace proxima
