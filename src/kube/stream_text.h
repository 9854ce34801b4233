// SPDX-License-Identifier: Apache-2.0
// Text that comes in pieces and is taken away from the front, with the room after its end that
// wire/json_scanner.h and the JSON parser want. Each byte is copied once or twice, whatever the
// size of the pieces.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace proxima::kube {

class StreamText {
 public:
  void append(std::string_view piece);
  // Valid until the next append().
  std::string_view text() const { return {bytes_.get() + begin_, end_ - begin_}; }
  std::size_t size() const { return end_ - begin_; }
  // `bytes` from the front are not needed any more.
  void consume(std::size_t bytes);
  void clear() { begin_ = end_ = 0; }

 private:
  void make_room(std::size_t bytes);

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;  // without the padding
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace proxima::kube
