// SPDX-License-Identifier: Apache-2.0
#include "conformance/fraction.h"

#include <algorithm>
#include <charconv>

#include "base/check.h"

namespace proxima::conformance {
namespace {

using Wide = unsigned __int128;

Wide greatest_common_divisor(Wide a, Wide b) {
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

Wide product(Wide a, Wide b) {
  Wide result = 0;
  PROXIMA_CHECK(!__builtin_mul_overflow(a, b, &result));
  return result;
}

std::string digits(Wide value) {
  std::string text;
  do {
    text += static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value != 0);
  std::reverse(text.begin(), text.end());
  return text;
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  PROXIMA_CHECK(read.ec == std::errc{} && read.ptr == text.data() + text.size());
  return value;
}

}  // namespace

Fraction Fraction::reduced(Wide numerator, Wide denominator) {
  PROXIMA_CHECK(denominator != 0);
  const Wide divisor = greatest_common_divisor(numerator, denominator);
  Fraction fraction;
  fraction.numerator_ = numerator / divisor;
  fraction.denominator_ = denominator / divisor;
  return fraction;
}

Fraction::Fraction(std::uint64_t numerator, std::uint64_t denominator)
    : Fraction(reduced(numerator, denominator)) {}

Fraction operator+(const Fraction& a, const Fraction& b) {
  const Wide common = greatest_common_divisor(a.denominator_, b.denominator_);
  const Wide left = product(a.numerator_, b.denominator_ / common);
  const Wide right = product(b.numerator_, a.denominator_ / common);
  PROXIMA_CHECK(left + right >= left);
  return Fraction::reduced(left + right, product(a.denominator_ / common, b.denominator_));
}

Fraction operator*(const Fraction& a, const Fraction& b) {
  // Across first, so that the products stay small.
  const Fraction left = Fraction::reduced(a.numerator_, b.denominator_);
  const Fraction right = Fraction::reduced(b.numerator_, a.denominator_);
  return Fraction::reduced(product(left.numerator_, right.numerator_),
                           product(left.denominator_, right.denominator_));
}

double Fraction::value() const {
  return static_cast<double>(numerator_) / static_cast<double>(denominator_);
}

std::string Fraction::text() const {
  return denominator_ == 1 ? digits(numerator_) : digits(numerator_) + "/" + digits(denominator_);
}

Fraction Fraction::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {number(text), 1};
  return {number(text.substr(0, slash)), number(text.substr(slash + 1))};
}

}  // namespace proxima::conformance
