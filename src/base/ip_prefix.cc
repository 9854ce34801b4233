// SPDX-License-Identifier: Apache-2.0
#include "base/ip_prefix.h"

#include <array>
#include <charconv>

namespace proxima {
namespace {

unsigned bits_of(IpFamily family) { return family == IpFamily::V4 ? 32 : 128; }

// The bits of byte number `index` that a prefix of `length` bits fixes.
std::uint8_t mask(std::size_t index, unsigned length) {
  const unsigned before = static_cast<unsigned>(index) * 8;
  if (length >= before + 8) return 0xff;
  if (length <= before) return 0;
  return static_cast<std::uint8_t>(0xff00U >> (length - before));
}

Error not_a_prefix(std::string_view text) {
  return {ErrorCode::InvalidInput, "not an address range: \"" + std::string(text) + "\""};
}

}  // namespace

IpPrefix::IpPrefix(const IpAddress& address)
    : first_(address), length_(static_cast<std::uint8_t>(bits_of(address.family()))) {}

Result<IpPrefix> IpPrefix::parse(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return not_a_prefix(text);
  const auto address = IpAddress::parse(text.substr(0, slash));
  if (!address) return not_a_prefix(text);
  const std::string_view digits = text.substr(slash + 1);
  unsigned length = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (!whole || length > bits_of(address->family())) return not_a_prefix(text);
  IpPrefix prefix;
  std::array<std::uint8_t, 16> bytes = address->bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] &= mask(i, length);
  prefix.first_ = IpAddress::from_bytes(address->family(), bytes);
  prefix.length_ = static_cast<std::uint8_t>(length);
  return prefix;
}

bool IpPrefix::contains(const IpAddress& address) const {
  if (address.family() != family()) return false;
  for (std::size_t i = 0; i * 8 < length_; ++i) {
    if ((address.bytes()[i] & mask(i, length_)) != first_.bytes()[i]) return false;
  }
  return true;
}

std::string IpPrefix::text() const { return first_.text() + "/" + std::to_string(length_); }

}  // namespace proxima
