// SPDX-License-Identifier: Apache-2.0
#include "kube/watch_lines.h"

namespace proxima::kube {

std::optional<std::string_view> WatchLines::next() {
  text_.consume(taken_);
  taken_ = 0;
  while (true) {
    const std::string_view text = text_.text();
    const std::size_t end = text.find('\n', searched_);
    if (end == std::string_view::npos) {
      searched_ = text.size();
      return std::nullopt;
    }
    searched_ = 0;
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) {
      taken_ = end + 1;
      return line;
    }
    text_.consume(end + 1);
  }
}

void WatchLines::clear() {
  text_.clear();
  taken_ = searched_ = 0;
}

}  // namespace proxima::kube
