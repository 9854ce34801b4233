// SPDX-License-Identifier: Apache-2.0
// A log that goes to a file instead of the terminal. Each line is one write, so that lines of
// several threads do not mix.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima::cli {

class LogFile {
 public:
  // Appends; readable by its owner only.
  static Result<LogFile> open(const std::string& path);
  LogFile(LogFile&& other) noexcept;
  LogFile& operator=(LogFile&&) = delete;
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile();

  // A line with its end. One that cannot be written is dropped.
  void write(std::string_view line) const;

 private:
  explicit LogFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace proxima::cli
