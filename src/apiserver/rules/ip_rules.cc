// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/ip_rules.h"

#include <algorithm>
#include <charconv>

#include "base/go_quote.h"

namespace proxima::apiserver::rules {
namespace {

bool has_leading_zero(std::string_view ipv4) {
  while (!ipv4.empty()) {
    const std::string_view octet = ipv4.substr(0, ipv4.find('.'));
    if (octet.size() > 1 && octet.front() == '0') return true;
    ipv4.remove_prefix(std::min(octet.size() + 1, ipv4.size()));
  }
  return false;
}

bool is_ipv6_text(std::string_view text) { return text.find(':') != std::string_view::npos; }

// IPv4 in IPv6 reads as IPv4, so that the text has to tell.
bool is_mapped(std::string_view text, const IpAddress& address) {
  return is_ipv6_text(text) && address.family() == IpFamily::V4;
}

// Of the IPv4 part, or of the part at an IPv6 address' end.
bool is_sloppy(std::string_view text) {
  if (!is_ipv6_text(text)) return has_leading_zero(text);
  const std::string_view tail = text.substr(text.rfind(':') + 1);
  return tail.find('.') != std::string_view::npos && has_leading_zero(tail);
}

std::string_view ip_part(std::string_view cidr) { return cidr.substr(0, cidr.find('/')); }

bool has_sloppy_prefix(std::string_view cidr) {
  const std::string_view prefix = cidr.substr(cidr.find('/') + 1);
  return prefix.size() > 1 && prefix.front() == '0';
}

// The bytes of an address, the first `bits` of them kept.
std::string masked_text(const IpAddress& address, unsigned bits) {
  std::string out;
  const bool v4 = address.family() == IpFamily::V4;
  for (unsigned i = 0; i < (v4 ? 4U : 16U); ++i) {
    const unsigned kept = bits > 8 * i ? std::min(bits - 8 * i, 8U) : 0U;
    const unsigned byte = address.bytes()[i] & (0xFF00U >> kept & 0xFFU);
    if (v4) {
      out += (i == 0 ? "" : ".") + std::to_string(byte);
    } else {
      out += i != 0 && i % 2 == 0 ? ":" : "";
      out += "0123456789abcdef"[byte >> 4U];
      out += "0123456789abcdef"[byte & 0xFU];
    }
  }
  return out;
}

struct SpecialRange {
  bool (*holds)(const IpAddress&);
  std::string_view message;
};

std::uint8_t at(const IpAddress& address, std::size_t index) { return address.bytes()[index]; }
bool is_v4(const IpAddress& address) { return address.family() == IpFamily::V4; }

bool is_unspecified(const IpAddress& address) {
  return std::all_of(address.bytes().begin(), address.bytes().end(),
                     [](std::uint8_t byte) { return byte == 0; });
}

bool is_loopback(const IpAddress& address) {
  if (is_v4(address)) return at(address, 0) == 127;
  return at(address, 15) == 1 && std::all_of(address.bytes().begin(), address.bytes().end() - 1,
                                             [](std::uint8_t byte) { return byte == 0; });
}

bool is_link_local(const IpAddress& address) {
  if (is_v4(address)) return at(address, 0) == 169 && at(address, 1) == 254;
  return at(address, 0) == 0xFE && (at(address, 1) & 0xC0U) == 0x80;
}

bool is_link_local_multicast(const IpAddress& address) {
  if (is_v4(address)) return at(address, 0) == 224 && at(address, 1) == 0 && at(address, 2) == 0;
  return at(address, 0) == 0xFF && (at(address, 1) & 0x0FU) == 0x02;
}

constexpr SpecialRange kSpecialRanges[] = {
    {is_loopback, "may not be in the loopback range (127.0.0.0/8, ::1/128)"},
    {is_link_local, "may not be in the link-local range (169.254.0.0/16, fe80::/10)"},
    {is_link_local_multicast,
     "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"},
};

// What is wrong with a network for every field; empty: nothing.
std::string cidr_fault(std::string_view text) {
  const auto network = parse_cidr(text);
  if (!network) return "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
  if (is_sloppy(ip_part(text)) || has_sloppy_prefix(text))
    return "must not have leading 0s in IP or prefix length";
  if (is_mapped(ip_part(text), network->base)) return "must not have an IPv4-mapped IPv6 address";
  if (network->masked().base != network->base)
    return "must not have bits set beyond the prefix length";
  return {};
}

std::string canonical_detail(const std::string& canonical) {
  return "must be in canonical form (" + go_quote(canonical) + ")";
}

}  // namespace

IpNetwork IpNetwork::masked() const {
  auto address = IpAddress::parse(masked_text(base, prefix));
  return {address ? *address : base, prefix};
}

std::optional<IpAddress> parse_ip(std::string_view text) {
  auto parsed = IpAddress::parse(text);
  return parsed ? std::optional(*parsed) : std::nullopt;
}

std::optional<IpNetwork> parse_cidr(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto address = parse_ip(text.substr(0, slash));
  const std::string_view digits = text.substr(slash + 1);
  unsigned prefix = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), prefix);
  if (!address || problem != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  const bool mapped = is_mapped(text.substr(0, slash), *address);
  if (mapped && prefix < 96) return std::nullopt;
  const IpNetwork network{*address, mapped ? prefix - 96 : prefix};
  return network.prefix <= network.width() ? std::optional(network) : std::nullopt;
}

std::optional<IpFamily> family_of(std::string_view ip) {
  const auto address = parse_ip(ip);
  return address ? std::optional(address->family()) : std::nullopt;
}

TextSet text_set(const std::vector<std::string_view>& texts) {
  return {texts.begin(), texts.end()};
}

void check_legacy_ip(FieldErrors& errors, const FieldPath& path, std::string_view text,
                     const TextSet& existing) {
  if (existing.contains(text)) return;
  const auto address = parse_ip(text);
  if (!address) {
    errors.invalid(path, text, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    return;
  }
  if (is_sloppy(text)) errors.invalid(path, text, "must not have leading 0s");
  if (!is_sloppy(text) && is_mapped(text, *address))
    errors.invalid(path, text, "must not be an IPv4-mapped IPv6 address");
}

void check_strict_ip(FieldErrors& errors, const FieldPath& path, std::string_view text) {
  const std::size_t before = errors.size();
  check_legacy_ip(errors, path, text, {});
  if (errors.size() != before) return;
  const std::string canonical = parse_ip(text)->text();
  if (text != canonical) errors.invalid(path, text, canonical_detail(canonical));
}

void check_endpoint_ip(FieldErrors& errors, const FieldPath& path, std::string_view text) {
  const auto address = parse_ip(text);
  if (!address) {
    errors.invalid(path, text, "must be a valid IP address");
    return;
  }
  if (is_unspecified(*address))
    errors.invalid(path, text, "may not be unspecified (" + std::string(text) + ")");
  for (const SpecialRange& range : kSpecialRanges)
    if (range.holds(*address)) errors.invalid(path, text, range.message);
}

void check_legacy_cidr(FieldErrors& errors, const FieldPath& path, std::string_view text,
                       const TextSet& existing) {
  if (existing.contains(text)) return;
  if (const std::string fault = cidr_fault(text); !fault.empty()) errors.invalid(path, text, fault);
}

void check_strict_cidr(FieldErrors& errors, const FieldPath& path, std::string_view text) {
  if (const std::string fault = cidr_fault(text); !fault.empty()) {
    errors.invalid(path, text, fault);
    return;
  }
  const std::string canonical = parse_cidr(text)->text();
  if (text != canonical) errors.invalid(path, text, canonical_detail(canonical));
}

void warn_ip(std::vector<std::string>& warnings, const FieldPath& path, std::string_view text) {
  const auto address = parse_ip(text);
  if (!address) return;
  const std::string canonical = address->text();
  if (is_sloppy(text) || is_mapped(text, *address)) {
    warnings.push_back(path.text() + ": non-standard IP address " + go_quote(text) +
                       " is invalid: use " + go_quote(canonical));
  } else if (address->family() == IpFamily::V6 && canonical != text) {
    warnings.push_back(path.text() + ": IPv6 address " + go_quote(text) +
                       " should be in RFC 5952 canonical format (" + go_quote(canonical) + ")");
  }
}

void warn_cidr(std::vector<std::string>& warnings, const FieldPath& path, std::string_view text) {
  const auto network = parse_cidr(text);
  if (!network) return;
  const std::string start = path.text() + ": ";
  const std::size_t before = warnings.size();
  const IpNetwork masked = network->masked();
  if (masked.base != network->base)
    warnings.push_back(
        start + "CIDR value " + go_quote(text) + " is ambiguous in this context (should be " +
        go_quote(masked.text()) + " or " +
        go_quote(network->base.text() + "/" + std::to_string(network->width())) + "?)");
  if (is_sloppy(ip_part(text)) || has_sloppy_prefix(text) ||
      is_mapped(ip_part(text), network->base))
    warnings.push_back(start + "non-standard CIDR value " + go_quote(text) + " is invalid: use " +
                       go_quote(masked.text()));
  if (warnings.size() == before && network->base.family() == IpFamily::V6 &&
      network->text() != text)
    warnings.push_back(start + "IPv6 CIDR value " + go_quote(text) +
                       " should be in RFC 5952 canonical format (" + go_quote(network->text()) +
                       ")");
}

bool is_dual_stack(const std::vector<std::string_view>& ips) {
  bool v4 = false;
  bool v6 = false;
  for (const std::string_view ip : ips) {
    const auto family = family_of(ip);
    if (!family) return false;
    (*family == IpFamily::V4 ? v4 : v6) = true;
  }
  return v4 && v6;
}

bool is_dual_stack_cidrs(const std::vector<std::string_view>& cidrs) {
  std::vector<std::string_view> ips;
  for (const std::string_view cidr : cidrs) ips.push_back(ip_part(cidr));
  return is_dual_stack(ips);
}

}  // namespace proxima::apiserver::rules
