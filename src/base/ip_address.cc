// SPDX-License-Identifier: Apache-2.0
#include "base/ip_address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>

namespace proxima {
namespace {

constexpr std::array<std::uint8_t, 12> kMappedPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

// Four decimal octets. inet_pton refuses leading zeros, and inet_aton reads them as octal; stored
// Kubernetes objects mean decimal.
std::optional<std::array<std::uint8_t, 4>> parse_v4(std::string_view text) {
  std::array<std::uint8_t, 4> octets{};
  for (std::size_t i = 0; i < octets.size(); ++i) {
    unsigned value = 0;
    std::size_t digits = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
      value = value * 10 + static_cast<unsigned>(text[digits] - '0');
      if (value > 255) return std::nullopt;
      ++digits;
    }
    if (digits == 0) return std::nullopt;
    octets[i] = static_cast<std::uint8_t>(value);
    text.remove_prefix(digits);
    if (i == 3) break;
    if (text.empty() || text.front() != '.') return std::nullopt;
    text.remove_prefix(1);
  }
  if (!text.empty()) return std::nullopt;
  return octets;
}

// An IPv4 address at its end is read as leniently as one alone: inet_pton gets it in hexadecimal.
std::optional<std::string> without_v4_tail(std::string_view text) {
  const std::size_t tail = text.rfind(':') + 1;
  if (text.find('.', tail) == std::string_view::npos) return std::string(text);
  const auto octets = parse_v4(text.substr(tail));
  if (tail == 0 || !octets) return std::nullopt;
  char groups[10];
  std::snprintf(groups, sizeof groups, "%x:%x", (*octets)[0] * 256U + (*octets)[1],
                (*octets)[2] * 256U + (*octets)[3]);
  return std::string(text.substr(0, tail)) + groups;
}

std::optional<std::array<std::uint8_t, 16>> parse_v6(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  const auto hexadecimal = without_v4_tail(text);
  std::array<std::uint8_t, 16> bytes{};
  if (!hexadecimal || inet_pton(AF_INET6, hexadecimal->c_str(), bytes.data()) != 1)
    return std::nullopt;
  return bytes;
}

}  // namespace

std::string_view to_text(IpFamily family) { return family == IpFamily::V4 ? "IPv4" : "IPv6"; }

Result<IpAddress> IpAddress::parse(std::string_view text) {
  IpAddress address;
  if (auto octets = parse_v4(text)) {
    std::copy(octets->begin(), octets->end(), address.bytes_.begin());
    return address;
  }
  auto bytes = parse_v6(text);
  if (!bytes)
    return Error{ErrorCode::InvalidInput, "not an IP address: \"" + std::string(text) + "\""};
  if (std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), bytes->begin())) {
    std::copy(bytes->begin() + 12, bytes->end(), address.bytes_.begin());
    return address;
  }
  address.family_ = IpFamily::V6;
  address.bytes_ = *bytes;
  return address;
}

namespace {

// Appends to a buffer that is known to be long enough.
class Printer {
 public:
  explicit Printer(IpAddress::Buffer& buffer) : begin_(buffer.data()), at_(buffer.data()) {}

  void character(char c) { *at_++ = c; }
  void number(unsigned value, int base) { at_ = std::to_chars(at_, at_ + 4, value, base).ptr; }
  bool ends_with_colon() const { return at_ != begin_ && at_[-1] == ':'; }
  bool empty() const { return at_ == begin_; }
  std::string_view text() const { return {begin_, static_cast<std::size_t>(at_ - begin_)}; }

 private:
  char* begin_;
  char* at_;
};

// glibc prints ::a.b.c.d for addresses below 2^32; RFC 5952 wants hexadecimal there.
void print_v6(const std::array<std::uint8_t, 16>& bytes, Printer& out) {
  std::array<unsigned, 8> groups{};
  for (std::size_t i = 0; i < 8; ++i) groups[i] = bytes[2 * i] * 256U + bytes[2 * i + 1];
  std::size_t best = 8, best_length = 1;  // a single zero group is not shortened
  for (std::size_t i = 0; i < 8; ++i) {
    std::size_t length = 0;
    while (i + length < 8 && groups[i + length] == 0) ++length;
    if (length > best_length) best = i, best_length = length;
  }
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == best) {
      out.character(':');
      out.character(':');
      i += best_length - 1;
      continue;
    }
    if (!out.empty() && !out.ends_with_colon()) out.character(':');
    out.number(groups[i], 16);
  }
}

void print_v4(const std::array<std::uint8_t, 16>& bytes, Printer& out) {
  for (std::size_t i = 0; i < 4; ++i) {
    if (i > 0) out.character('.');
    out.number(bytes[i], 10);
  }
}

}  // namespace

std::string_view IpAddress::print(Buffer& buffer) const {
  Printer out(buffer);
  if (family_ == IpFamily::V6) {
    print_v6(bytes_, out);
  } else {
    print_v4(bytes_, out);
  }
  return out.text();
}

std::string IpAddress::text() const {
  Buffer buffer;
  return std::string(print(buffer));
}

}  // namespace proxima
