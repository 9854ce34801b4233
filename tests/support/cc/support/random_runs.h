// SPDX-License-Identifier: Apache-2.0
// Of tests that draw random numbers: the seed, and how often they draw.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace proxima::test {

// PROXIMA_SEED, or a new one. Printed as the variable that repeats the run.
inline std::uint64_t seed_of_this_run() {
  const char* given = std::getenv("PROXIMA_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10)
                                              : static_cast<std::uint64_t>(std::random_device()());
  std::printf("PROXIMA_SEED=%llu\n", static_cast<unsigned long long>(seed));
  return seed;
}

// A number of the environment.
inline int times(const char* variable, int usual) {
  const char* given = std::getenv(variable);
  return given == nullptr ? usual : std::atoi(given);
}

}  // namespace proxima::test
