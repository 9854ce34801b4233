// SPDX-License-Identifier: Apache-2.0
// A small random generator whose numbers are the same everywhere: the distributions of the standard
// library differ between libraries. For made-up data; not for secrets.
#pragma once

#include <cstdint>

namespace proxima {

class SplitMix {
 public:
  explicit constexpr SplitMix(std::uint64_t seed) : state_(seed) {}
  // A stream of its own for thing number `index` under `seed`.
  constexpr SplitMix(std::uint64_t seed, std::uint64_t index)
      : state_(SplitMix(seed).next() ^ SplitMix(~index).next()) {}

  constexpr std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
  }
  // 0 … bound − 1; `bound` above 0. The bias of the remainder is far below what anyone can see
  // here.
  constexpr std::uint64_t below(std::uint64_t bound) { return next() % bound; }
  // 0 ≤ x < 1.
  constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace proxima
