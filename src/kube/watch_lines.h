// SPDX-License-Identifier: Apache-2.0
// The lines of a watch, however they are cut into pieces. An event is a line.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "kube/stream_text.h"

namespace proxima::kube {

class WatchLines {
 public:
  explicit WatchLines(std::size_t max_line_bytes) : max_line_bytes_(max_line_bytes) {}

  void append(std::string_view piece) { text_.append(piece); }
  // The next whole line without its end, padded as the JSON parser wants it; empty lines are left
  // out. Valid until the next call.
  std::optional<std::string_view> next();
  // What is left has no end yet, and is longer than any event can be.
  bool is_too_long() const { return text_.size() - taken_ > max_line_bytes_; }
  void clear();

 private:
  std::size_t max_line_bytes_;
  StreamText text_;
  std::size_t taken_ = 0;     // the line that was handed out last
  std::size_t searched_ = 0;  // from there: so many bytes without an end
};

}  // namespace proxima::kube
