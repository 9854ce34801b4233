// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/address_pool.h"

#include <algorithm>
#include <array>

namespace proxima::apiserver::rules {
namespace {

// Larger networks than this are cut: nobody has so many Services.
constexpr unsigned kHostBitsMax = 32;

std::uint64_t usable(const IpNetwork& network) {
  const unsigned bits = std::min(network.width() - network.prefix, kHostBitsMax);
  const std::uint64_t all = std::uint64_t{1} << bits;
  // Neither the first address nor, for IPv4, the last.
  return all - (network.base.family() == IpFamily::V4 ? 2 : 1);
}

// Upstream's: a sixteenth, but 16 at least and 256 at most.
std::uint64_t lower_band(const IpNetwork& network) {
  const unsigned bits = std::min(network.width() - network.prefix, kHostBitsMax);
  const std::uint64_t all = std::uint64_t{1} << bits;
  if (all <= 16) return 0;
  return std::min(std::clamp<std::uint64_t>(all / 16, 16, 256), usable(network));
}

// The low 64 bits of an address.
std::uint64_t low_bits(const IpAddress& address) {
  const bool v4 = address.family() == IpFamily::V4;
  std::uint64_t value = 0;
  for (std::size_t i = v4 ? 0 : 8; i < (v4 ? 4U : 16U); ++i)
    value = value << 8U | address.bytes()[i];
  return value;
}

std::string address_text(IpFamily family, const std::array<std::uint8_t, 16>& bytes) {
  std::string out;
  if (family == IpFamily::V4) {
    for (std::size_t i = 0; i < 4; ++i) out += (i == 0 ? "" : ".") + std::to_string(bytes[i]);
    return out;
  }
  for (std::size_t i = 0; i < 16; ++i) {
    out += i != 0 && i % 2 == 0 ? ":" : "";
    out += "0123456789abcdef"[bytes[i] >> 4U];
    out += "0123456789abcdef"[bytes[i] & 0xFU];
  }
  return out;
}

}  // namespace

AddressPool::AddressPool(const IpNetwork& network)
    : network_(network.masked()), numbers_(usable(network), lower_band(network)) {}

std::optional<std::uint64_t> AddressPool::number_of(const IpAddress& address) const {
  if (address.family() != family()) return std::nullopt;
  if (IpNetwork{address, network_.prefix}.masked().base != network_.base) return std::nullopt;
  const std::uint64_t offset = low_bits(address) - low_bits(network_.base);
  if (offset == 0 || offset - 1 >= numbers_.size()) return std::nullopt;
  return offset - 1;
}

IpAddress AddressPool::address_of(std::uint64_t number) const {
  std::array<std::uint8_t, 16> bytes = network_.base.bytes();
  std::uint64_t value = low_bits(network_.base) + number + 1;
  const bool v4 = family() == IpFamily::V4;
  const std::size_t first = v4 ? 0 : 8;
  for (std::size_t i = (v4 ? 4U : 16U); i-- > first; value >>= 8U)
    bytes[i] = static_cast<std::uint8_t>(value & 0xFFU);
  auto address = IpAddress::parse(address_text(family(), bytes));
  PROXIMA_CHECK(address.has_value());
  return *address;
}

}  // namespace proxima::apiserver::rules
