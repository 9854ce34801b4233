// SPDX-License-Identifier: Apache-2.0
// Bytes that came in and are not parsed yet. Room is made at the end, parsed bytes leave at the
// front; nothing is moved but a remainder when the room would not do.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace proxima::net {

class InputBuffer {
 public:
  std::string_view view() const { return {bytes_.get() + begin_, end_ - begin_}; }
  std::size_t size() const { return end_ - begin_; }

  void consume(std::size_t count) {
    PROXIMA_CHECK(count <= size());
    begin_ += count;
  }
  // Room for at least `count` bytes after what is there. Invalidates views.
  std::span<char> prepare(std::size_t count) {
    if (begin_ == end_) begin_ = end_ = 0;
    if (capacity_ - end_ < count) make_room(count);
    return {bytes_.get() + end_, capacity_ - end_};
  }
  // So many bytes were put into the room.
  void commit(std::size_t count) {
    PROXIMA_CHECK(count <= capacity_ - end_);
    end_ += count;
  }

 private:
  void make_room(std::size_t count) {
    const std::size_t kept = size();
    if (capacity_ >= kept + count) {
      std::memmove(bytes_.get(), bytes_.get() + begin_, kept);
    } else {
      const std::size_t capacity = kept + count > 2 * capacity_ ? kept + count : 2 * capacity_;
      auto bytes = std::make_unique_for_overwrite<char[]>(capacity);
      if (kept > 0) std::memcpy(bytes.get(), bytes_.get() + begin_, kept);
      bytes_ = std::move(bytes);
      capacity_ = capacity;
    }
    begin_ = 0;
    end_ = kept;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace proxima::net
