// SPDX-License-Identifier: Apache-2.0
// How many bytes the bodies of all requests of a listener may have together. Everything happens on
// the loop's thread.
#pragma once

#include <cstddef>

#include "base/check.h"

namespace proxima::net {

class BodyBudget {
 public:
  explicit BodyBudget(std::size_t bytes_max) : left_(bytes_max) {}

  bool has(std::size_t bytes) const { return bytes <= left_; }
  // False: not so many are left, and none is taken.
  bool take(std::size_t bytes) {
    if (!has(bytes)) return false;
    left_ -= bytes;
    taken_ += bytes;
    return true;
  }
  void give_back(std::size_t bytes) {
    PROXIMA_CHECK(bytes <= taken_);
    taken_ -= bytes;
    left_ += bytes;
  }

 private:
  std::size_t left_;
  std::size_t taken_ = 0;
};

}  // namespace proxima::net
