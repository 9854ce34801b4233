// SPDX-License-Identifier: Apache-2.0
#include "kube/stream_text.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "wire/json_scanner.h"

namespace proxima::kube {

void StreamText::make_room(std::size_t bytes) {
  constexpr std::size_t kLeastCapacity = 64U << 10U;
  const std::size_t held = size();
  if (held + bytes <= capacity_ / 2) {
    std::memmove(bytes_.get(), bytes_.get() + begin_, held);
  } else {
    capacity_ = std::max(kLeastCapacity, 2 * (held + bytes));
    auto larger = std::make_unique_for_overwrite<char[]>(capacity_ + wire::kScanPadding);
    if (held > 0) std::memcpy(larger.get(), bytes_.get() + begin_, held);
    bytes_ = std::move(larger);
  }
  begin_ = 0;
  end_ = held;
}

void StreamText::append(std::string_view piece) {
  if (piece.empty()) return;
  if (end_ + piece.size() > capacity_) make_room(piece.size());
  std::memcpy(bytes_.get() + end_, piece.data(), piece.size());
  end_ += piece.size();
  // What is behind the end is read, though it counts for nothing: it must have a value.
  std::memset(bytes_.get() + end_, 0, wire::kScanPadding);
}

void StreamText::consume(std::size_t bytes) {
  PROXIMA_CHECK(bytes <= size());
  begin_ += bytes;
  if (begin_ == end_) clear();
}

}  // namespace proxima::kube
