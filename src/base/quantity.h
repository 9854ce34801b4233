// SPDX-License-Identifier: Apache-2.0
// A Kubernetes resource quantity ("2", "1500m", "0.5", "1e3", "4Ki"), held exactly.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace proxima {

class Quantity {
 public:
  constexpr Quantity() = default;  // zero

  // Exact down to 1e-9; anything finer is rounded up, as Kubernetes does. Negative, malformed and
  // absurdly large (over 2^63 units) values are refused.
  static Result<Quantity> parse(std::string_view text);
  static constexpr Quantity from_milli(std::int64_t milli) {
    return Quantity(static_cast<__int128>(milli) * 1'000'000);
  }

  // Thousandths, rounded up, as Kubernetes' MilliValue.
  std::int64_t milli() const;
  bool is_zero() const { return nano_ == 0; }

  Quantity& operator+=(Quantity other) {
    nano_ += other.nano_;
    return *this;
  }
  Quantity& operator-=(Quantity other) {
    nano_ -= other.nano_;
    return *this;
  }
  friend auto operator<=>(const Quantity&, const Quantity&) = default;

 private:
  constexpr explicit Quantity(__int128 nano) : nano_(nano) {}
  __int128 nano_ = 0;
};

}  // namespace proxima
