// SPDX-License-Identifier: Apache-2.0
// Numbers handed out round and round, so that one that was given back rests while all the others
// have their turn: what remembers a host that left must not find another with its address.
#pragma once

#include <cstddef>
#include <optional>
#include <set>

namespace proxima::lab {

class NumberRing {
 public:
  // Numbers 1 … `highest`.
  explicit NumberRing(std::size_t highest) : highest_(highest) {}

  // None: all are out.
  std::optional<std::size_t> take();
  void give_back(std::size_t number) { taken_.erase(number); }

 private:
  std::size_t highest_;
  std::size_t last_ = 0;
  std::set<std::size_t> taken_;
};

}  // namespace proxima::lab
