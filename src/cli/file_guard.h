// SPDX-License-Identifier: Apache-2.0
// Notices that a file is no longer the one that was read, for programs that start anew with another
// configuration. Files are often symbolic links into folders that are replaced, so the file at the
// end counts.
#pragma once

#include <functional>
#include <string>
#include <thread>

#include "base/clock.h"
#include "net/cancellation.h"

namespace proxima::cli {

// What tells two versions of a file apart, without reading it; equal for a file that is not there.
std::string file_mark(const std::string& path);

class FileGuard {
 public:
  static constexpr std::chrono::seconds kEvery{2};

  // Calls `on_change` once, on a thread of its own, when the file's mark is not `mark` any more.
  // The clock must outlive it.
  FileGuard(std::string path, std::string mark, Clock& clock, std::function<void()> on_change);
  ~FileGuard();
  FileGuard(const FileGuard&) = delete;
  FileGuard& operator=(const FileGuard&) = delete;

 private:
  net::Cancellation stopping_;
  std::thread thread_;
};

}  // namespace proxima::cli
