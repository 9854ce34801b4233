// SPDX-License-Identifier: Apache-2.0
// An IPv4 or IPv6 address, parsed once and printed canonically (RFC 5952).
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima {

enum class IpFamily : std::uint8_t { V4, V6 };

// "IPv4" or "IPv6", as Kubernetes writes it.
std::string_view to_text(IpFamily family);

class IpAddress {
 public:
  constexpr IpAddress() = default;  // 0.0.0.0

  // Lenient as Kubernetes is with stored objects: leading zeros in IPv4 octets are decimal, and an
  // IPv4-mapped IPv6 address is the IPv4 address. Zones ("fe80::1%eth0") are refused.
  static Result<IpAddress> parse(std::string_view text);
  // As bytes() gives them.
  static IpAddress from_bytes(IpFamily family, const std::array<std::uint8_t, 16>& bytes) {
    IpAddress address;
    address.family_ = family;
    address.bytes_ = bytes;
    return address;
  }

  IpFamily family() const { return family_; }
  // Network order; the first four bytes for IPv4, the rest zero.
  const std::array<std::uint8_t, 16>& bytes() const { return bytes_; }
  std::string text() const;
  // The same in `buffer`, for those who print very many.
  using Buffer = std::array<char, 40>;
  std::string_view print(Buffer& buffer) const;

  friend auto operator<=>(const IpAddress&, const IpAddress&) = default;

 private:
  IpFamily family_ = IpFamily::V4;
  std::array<std::uint8_t, 16> bytes_{};
};

}  // namespace proxima
