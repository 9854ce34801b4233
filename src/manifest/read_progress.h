// SPDX-License-Identifier: Apache-2.0
// How far reading has come. Every byte counts half when it is in memory and half when it is
// decoded.
#pragma once

#include <cstdint>
#include <functional>

namespace proxima::manifest {

class ReadProgress {
 public:
  using Callback = std::function<void(std::uint64_t done, std::uint64_t total)>;

  explicit ReadProgress(const Callback& callback) : callback_(callback) {}

  // 0: unknown.
  void set_total(std::uint64_t bytes) { total_ = bytes; }
  void set_read(std::uint64_t bytes) { report(read_ = bytes, decoded_); }
  void add_decoded(std::uint64_t bytes) { report(read_, decoded_ += bytes); }
  // Everything read so far is decoded too.
  void finish_file() { report(read_, decoded_ = read_); }
  std::uint64_t read() const { return read_; }

 private:
  static constexpr std::uint64_t kStepBytes = 4 * 1024 * 1024;

  void report(std::uint64_t read, std::uint64_t decoded) {
    const std::uint64_t done = (read + decoded) / 2;
    if (!callback_ || done < reported_ + kStepBytes) return;
    reported_ = done;
    callback_(done, total_);
  }

  const Callback& callback_;
  std::uint64_t total_ = 0;
  std::uint64_t read_ = 0;
  std::uint64_t decoded_ = 0;
  std::uint64_t reported_ = 0;
};

}  // namespace proxima::manifest
