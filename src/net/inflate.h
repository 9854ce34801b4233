// SPDX-License-Identifier: Apache-2.0
// Decompresses gzip and zlib streams piece by piece. What is held at once does not grow with what
// comes out, so a small body that unpacks to a huge one costs its reader nothing it did not take.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima::net {

class Inflater {
 public:
  Inflater();
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  struct Piece {
    std::size_t consumed = 0;  // from the front of the input
    std::string_view output;   // valid until the next call; at most 256 KiB
  };
  // An error: the input is damaged. Nothing consumed and nothing put out: all input is used up.
  Result<Piece> feed(std::string_view input);
  // Whether the input so far is complete; what was cut off is not.
  bool complete() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// One gzip member, packed for speed rather than size.
std::string gzip(std::string_view text);

}  // namespace proxima::net
