// SPDX-License-Identifier: Apache-2.0
// Exact shares from 0 to 1, always in lowest terms. For sums of a few products whose denominators
// stay below 10^36 together; past that the program stops instead of rounding.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace proxima::conformance {

class Fraction {
 public:
  Fraction() = default;
  Fraction(std::uint64_t numerator, std::uint64_t denominator);

  friend Fraction operator+(const Fraction& a, const Fraction& b);
  friend Fraction operator*(const Fraction& a, const Fraction& b);
  friend bool operator==(const Fraction&, const Fraction&) = default;

  double value() const;
  // "2/5", "0", "1".
  std::string text() const;
  // Reads what text() writes, reduced or not.
  static Fraction parse(std::string_view text);

 private:
  using Wide = unsigned __int128;
  static Fraction reduced(Wide numerator, Wide denominator);

  Wide numerator_ = 0;
  Wide denominator_ = 1;
};

}  // namespace proxima::conformance
