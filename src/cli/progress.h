// SPDX-License-Identifier: Apache-2.0
// One line that tells how far something is, on a terminal and only when it takes longer than a
// second; gone when it is done.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include "cli/console.h"

namespace proxima::cli {

using Now = std::function<std::chrono::steady_clock::time_point()>;
Now steady_now();

class ProgressLine {
 public:
  // `what`: "Reading dump.json".
  ProgressLine(Console& console, std::string what, Now now = steady_now());
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Cheap enough to be called for every object. `total` 0: unknown, `done` is in bytes or pieces.
  void update(std::size_t done, std::size_t total);
  // Before anything else is written to the same terminal.
  void clear();

 private:
  Console& console_;
  std::string what_;
  Now now_;
  bool wanted_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace proxima::cli
