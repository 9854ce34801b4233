// SPDX-License-Identifier: Apache-2.0
#include "wire/yaml_scalar.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

namespace proxima::wire {
namespace {

constexpr std::string_view kTrue[] = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                      "True", "TRUE", "on",  "On",  "ON"};
constexpr std::string_view kFalse[] = {"n",     "N",     "no",  "No",  "NO", "false",
                                       "False", "FALSE", "off", "Off", "OFF"};
constexpr std::string_view kNull[] = {"", "~", "null", "Null", "NULL"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "0x1f", "0b11", "0o17", "017", "42": the base is in the prefix.
std::optional<std::uint64_t> parse_magnitude(std::string_view digits) {
  int base = 10;
  if (digits.size() > 1 && digits.front() == '0') {
    const char mark = static_cast<char>(digits[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
    digits.remove_prefix(mark == 'x' || mark == 'b' || mark == 'o' ? 2 : 1);
  }
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value, base);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

std::optional<std::string> integer_json(std::string_view text) {
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+') text.remove_prefix(1);
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  const auto value = parse_magnitude(text);
  constexpr std::uint64_t kLowest = std::uint64_t{1} << 63;
  if (!value || (negative && *value > kLowest)) return std::nullopt;
  return (negative && *value != 0 ? "-" : "") + std::to_string(*value);
}

// Digits with at most one point, and an optional exponent: what from_chars takes for infinity, NaN
// or hexadecimal is text in YAML.
bool looks_like_float(std::string_view text) {
  if (text.front() == '-' || text.front() == '+') text.remove_prefix(1);
  const std::size_t exponent = text.find_first_of("eE");
  std::string_view mantissa = text.substr(0, exponent);
  if (std::ranges::count(mantissa, '.') > 1 || !std::ranges::any_of(mantissa, is_digit))
    return false;
  if (!std::ranges::all_of(mantissa, [](char c) { return is_digit(c) || c == '.'; })) return false;
  if (exponent == std::string_view::npos) return true;
  std::string_view power = text.substr(exponent + 1);
  if (!power.empty() && (power.front() == '-' || power.front() == '+')) power.remove_prefix(1);
  return !power.empty() && std::ranges::all_of(power, is_digit);
}

std::optional<std::string> float_json(std::string_view text) {
  if (!looks_like_float(text)) return std::nullopt;
  if (text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || !std::isfinite(value)) return std::nullopt;
  // The shortest form of a large number may be digits alone, which JSON readers take for an integer
  // that does not fit 64 bits.
  constexpr double kIntegersEnd = 9.2e18;
  char digits[64];
  const auto written =
      std::abs(value) < kIntegersEnd
          ? std::to_chars(digits, digits + sizeof digits, value)
          : std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific);
  return std::string(digits, written.ptr);
}

std::optional<std::string> number_json(std::string_view text) {
  const char first = text.front();
  if (!is_digit(first) && first != '-' && first != '+' && first != '.') return std::nullopt;
  std::string plain(text);  // 1_000 is a thousand
  std::erase(plain, '_');
  if (plain.empty()) return std::nullopt;
  if (auto integer = integer_json(plain)) return integer;
  return float_json(plain);
}

}  // namespace

YamlScalar resolve_plain_scalar(std::string_view text) {
  if (std::ranges::find(kNull, text) != std::end(kNull)) return {YamlTag::Null, "null"};
  if (std::ranges::find(kTrue, text) != std::end(kTrue)) return {YamlTag::Boolean, "true"};
  if (std::ranges::find(kFalse, text) != std::end(kFalse)) return {YamlTag::Boolean, "false"};
  if (auto number = number_json(text)) return {YamlTag::Number, std::move(*number)};
  return {YamlTag::Text, std::string(text)};
}

}  // namespace proxima::wire
