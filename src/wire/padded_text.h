// SPDX-License-Identifier: Apache-2.0
// A whole input in one buffer that may be read a little past its end, as the scanner and the JSON
// parser do. Read, not mapped: a file that shrinks while it is mapped would end the program.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima::wire {

class PaddedText {
 public:
  PaddedText() = default;
  explicit PaddedText(std::string_view text);

  // Called with the bytes read so far, every few megabytes.
  using Progress = std::function<void(std::size_t bytes)>;
  // Everything up to the end of the descriptor. The error says what the system said.
  static Result<PaddedText> read(int descriptor, const Progress& progress);

  std::string_view text() const { return {bytes_.get(), size_}; }

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  bool reserve(std::size_t bytes);

  std::unique_ptr<char[], Free> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace proxima::wire
