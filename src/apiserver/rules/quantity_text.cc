// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/quantity_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace proxima::apiserver::rules {
namespace {

__extension__ using Wide = __int128;

enum class Format : std::uint8_t { DecimalSi, BinarySi, DecimalExponent };

struct Parts {
  bool negative = false;
  std::string_view whole;     // digits before the point, without leading zeros
  std::string_view fraction;  // digits after it
  std::string_view suffix;
};

constexpr int kNano = -9;
constexpr Wide kBillion = 1'000'000'000;
// Beyond this the exact value is of no use to anybody; such a text stays as it is.
constexpr Wide kMaxNano =
    static_cast<Wide>(1'000'000'000'000'000'000) * 1'000'000'000 * 1'000'000'000;
constexpr std::array<std::string_view, 10> kDecimal = {"n", "u", "m", "",  "k",
                                                       "M", "G", "T", "P", "E"};
constexpr std::array<std::string_view, 7> kBinary = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

Error wrong_format() {
  return {ErrorCode::InvalidInput,
          "quantities must match the regular expression "
          "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"};
}

std::string_view take_digits(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits;
}

std::optional<Parts> split(std::string_view text) {
  Parts parts;
  if (text.empty()) return std::nullopt;
  if (text.front() == '-' || text.front() == '+') {
    parts.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  parts.whole = take_digits(text);
  parts.whole.remove_prefix(std::min(parts.whole.find_first_not_of('0'), parts.whole.size()));
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    parts.fraction = take_digits(text);
  }
  parts.suffix = text;
  text.remove_prefix(std::min(text.find_first_not_of("eEinumkKMGTP"), text.size()));
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  take_digits(text);
  return text.empty() ? std::optional(parts) : std::nullopt;
}

struct Scale {
  Format format = Format::DecimalSi;
  int exponent = 0;  // of 10, or of 2
};

std::optional<Scale> scale_of(std::string_view suffix) {
  const auto* const decimal = std::find(kDecimal.begin(), kDecimal.end(), suffix);
  if (decimal != kDecimal.end())
    return Scale{Format::DecimalSi, static_cast<int>(decimal - kDecimal.begin()) * 3 + kNano};
  const auto* const binary = std::find(kBinary.begin(), kBinary.end(), suffix);
  if (binary != kBinary.end())
    return Scale{Format::BinarySi, static_cast<int>(binary - kBinary.begin()) * 10};
  if (suffix.size() < 2 || (suffix.front() != 'e' && suffix.front() != 'E')) return std::nullopt;
  suffix.remove_prefix(suffix[1] == '+' ? 2 : 1);
  int exponent = 0;
  const auto [end, problem] =
      std::from_chars(suffix.data(), suffix.data() + suffix.size(), exponent);
  if (problem != std::errc() || end != suffix.data() + suffix.size()) return std::nullopt;
  // Below this every quantity is the same, and sums with it must not overflow.
  return Scale{Format::DecimalExponent, std::max(exponent, -1'000'000)};
}

// Multiplies while it stays below kMaxNano.
bool multiply(Wide& value, Wide factor) {
  if (value != 0 && factor > kMaxNano / value) return false;
  value *= factor;
  return true;
}

// Billionths, rounded up; nullopt: too large to care.
std::optional<Wide> nano_of(const Parts& parts, const Scale& scale) {
  Wide value = 0;
  for (const std::string_view digits : {parts.whole, parts.fraction}) {
    for (const char digit : digits) {
      if (!multiply(value, 10)) return std::nullopt;
      value += digit - '0';
    }
  }
  int ten = -kNano - static_cast<int>(std::min<std::size_t>(parts.fraction.size(), 1000));
  if (scale.format == Format::BinarySi) {
    if (!multiply(value, static_cast<Wide>(1) << scale.exponent)) return std::nullopt;
  } else {
    ten += std::clamp(scale.exponent, -1000, 1000);
  }
  for (; ten > 0 && value != 0; --ten)
    if (!multiply(value, 10)) return std::nullopt;
  for (; ten < 0 && value > 1; ++ten) value = (value + 9) / 10;
  return value;
}

std::string digits_of(Wide value) {
  std::string out;
  for (; value > 0; value /= 10)
    out.insert(out.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
  return out.empty() ? "0" : out;
}

std::string decimal_text(Wide nano, Format format) {
  int exponent = kNano;
  while (nano % 1000 == 0 && exponent < 18) {
    nano /= 1000;
    exponent += 3;
  }
  std::string out = digits_of(nano);
  if (format == Format::DecimalSi)
    return out.append(kDecimal[static_cast<std::size_t>((exponent - kNano) / 3)]);
  return exponent == 0 ? out : out.append("e").append(std::to_string(exponent));
}

std::string binary_text(Wide units) {
  std::size_t power = 0;
  while (units % 1024 == 0 && power + 1 < kBinary.size()) {
    units /= 1024;
    ++power;
  }
  return digits_of(units).append(kBinary[power]);
}

std::string quantity_in(Wide nano, Format format) {
  if (nano == 0) return "0";
  const bool whole = nano % kBillion == 0;
  if (format == Format::BinarySi && whole && nano >= 1024 * kBillion)
    return binary_text(nano / kBillion);
  return decimal_text(nano, format == Format::DecimalExponent ? format : Format::DecimalSi);
}

// Upstream keeps the text of a value that looks canonical already, "1.234" and "+5" among them.
bool keeps_text(const Parts& parts, const Scale& scale) {
  std::string digits(parts.whole.empty() ? "0" : parts.whole);
  digits.append(parts.fraction);
  if (scale.format == Format::BinarySi) {
    const int precision = 15 - static_cast<int>(digits.size()) - scale.exponent * 3 / 10 - 1;
    return parts.fraction.empty() && precision >= 0 && std::stoull(digits) % 8 != 0;
  }
  const int power = scale.exponent - static_cast<int>(parts.fraction.size());
  return digits.size() <= 18 && power >= kNano && power % 3 == 0 && !digits.ends_with("000") &&
         digits.front() != '0';
}

Result<std::string> canonical(std::string_view text, Wide unit) {
  if (text == "0") return std::string(text);
  const std::optional<Parts> parts = split(text);
  if (!parts) return wrong_format();
  const std::optional<Scale> scale = scale_of(parts->suffix);
  if (!scale) return Error{ErrorCode::InvalidInput, "unable to parse quantity's suffix"};
  std::optional<Wide> nano = nano_of(*parts, *scale);
  if (!nano) return std::string(text);
  const bool exact = *nano % unit == 0;
  if (exact && keeps_text(*parts, *scale)) return std::string(text);
  if (!exact) nano = (*nano / unit + 1) * unit;
  std::string out = quantity_in(*nano, scale->format);
  return parts->negative && *nano != 0 ? "-" + out : out;
}

}  // namespace

Result<std::string> canonical_quantity(std::string_view text) { return canonical(text, 1); }

Result<std::string> canonical_milli_quantity(std::string_view text) {
  return canonical(text, 1'000'000);
}

}  // namespace proxima::apiserver::rules
