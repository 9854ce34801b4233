// SPDX-License-Identifier: Apache-2.0
// A range of addresses in CIDR notation, parsed once.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/ip_address.h"

namespace proxima {

class IpPrefix {
 public:
  // 0.0.0.0/0
  constexpr IpPrefix() = default;
  // The one address, /32 or /128.
  explicit IpPrefix(const IpAddress& address);

  // Lenient as IpAddress is; bits after the prefix are cleared: "10.1.2.3/8" is 10.0.0.0/8.
  static Result<IpPrefix> parse(std::string_view text);

  IpFamily family() const { return first_.family(); }
  // The first address of the range.
  const IpAddress& first() const { return first_; }
  std::uint8_t length() const { return length_; }
  bool contains(const IpAddress& address) const;
  std::string text() const;

  friend auto operator<=>(const IpPrefix&, const IpPrefix&) = default;

 private:
  IpAddress first_;
  std::uint8_t length_ = 0;
};

}  // namespace proxima
