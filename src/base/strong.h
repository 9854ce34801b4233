// SPDX-License-Identifier: Apache-2.0
// Values that cannot be mistaken for others of the same representation.
#pragma once

#include <compare>
#include <cstddef>
#include <limits>
#include <utility>

namespace proxima {

// Construction and reading are explicit, so a NodeName never becomes a Zone by way of its text.
template <class Tag, class T>
class Strong {
 public:
  constexpr explicit Strong(T value) : value_(std::move(value)) {}
  constexpr const T& value() const { return value_; }
  friend constexpr auto operator<=>(const Strong&, const Strong&) = default;

 private:
  T value_;
};

// A position in one particular array. The default is "none", the largest value of T, so an index
// costs no more than its number and absence is still explicit.
template <class Tag, class T>
class Index {
 public:
  constexpr Index() = default;
  constexpr explicit Index(std::size_t value) : value_(static_cast<T>(value)) {}
  constexpr bool has_value() const { return value_ != kNone; }
  constexpr explicit operator bool() const { return has_value(); }
  // Only for an index that has a value.
  constexpr std::size_t value() const { return value_; }
  friend constexpr auto operator<=>(const Index&, const Index&) = default;

 private:
  static constexpr T kNone = std::numeric_limits<T>::max();
  T value_ = kNone;
};

}  // namespace proxima
