// SPDX-License-Identifier: Apache-2.0
#include "base/duration_text.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

namespace proxima {
namespace {

struct DurationUnit {
  std::string_view name;
  std::int64_t nanoseconds;
};
// Longer names first where one begins with another.
constexpr std::array kUnits = {
    DurationUnit{"ns", 1},
    DurationUnit{"us", 1'000},
    DurationUnit{"µs", 1'000},
    DurationUnit{"ms", 1'000'000},
    DurationUnit{"h", 3'600'000'000'000},
    DurationUnit{"m", 60'000'000'000},
    DurationUnit{"s", 1'000'000'000},
};
constexpr std::int64_t kSecond = 1'000'000'000;

std::string_view take_digits(std::string_view& text) {
  std::size_t size = 0;
  while (size < text.size() && text[size] >= '0' && text[size] <= '9') ++size;
  const auto digits = text.substr(0, size);
  text.remove_prefix(size);
  return digits;
}

const DurationUnit* take_unit(std::string_view& text) {
  for (const DurationUnit& unit : kUnits) {
    if (!text.starts_with(unit.name)) continue;
    text.remove_prefix(unit.name.size());
    return &unit;
  }
  return nullptr;
}

// "1.5" of a unit; nullopt when it is longer than 292 years.
std::optional<std::int64_t> scaled(std::string_view whole, std::string_view fraction,
                                   std::int64_t unit) {
  std::int64_t total = 0;
  for (const char digit : whole) {
    if (__builtin_mul_overflow(total, 10, &total) ||
        __builtin_add_overflow(total, digit - '0', &total))
      return std::nullopt;
  }
  if (__builtin_mul_overflow(total, unit, &total)) return std::nullopt;
  std::int64_t place = unit;
  for (const char digit : fraction) {
    place /= 10;
    if (__builtin_add_overflow(total, place * (digit - '0'), &total)) return std::nullopt;
  }
  return total;
}

// One number with its unit; removes it from `text`.
std::optional<std::int64_t> take_part(std::string_view& text) {
  const auto whole = take_digits(text);
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_digits(text);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  const DurationUnit* unit = take_unit(text);
  return unit == nullptr ? std::nullopt : scaled(whole, fraction, unit->nanoseconds);
}

// "1.5" of 1'500 thousandths.
std::string with_fraction(std::uint64_t value, std::uint64_t unit) {
  std::string text = std::to_string(value / unit);
  std::string digits = std::to_string(unit + value % unit).substr(1);
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits.empty() ? text : text + "." + digits;
}

}  // namespace

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  const Error error{ErrorCode::InvalidInput, "not a duration: \"" + std::string(text) + "\""};
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return std::chrono::nanoseconds(0);
  if (text.empty()) return error;
  std::int64_t total = 0;
  while (!text.empty()) {
    const auto part = take_part(text);
    if (!part || __builtin_add_overflow(total, *part, &total)) return error;
  }
  return std::chrono::nanoseconds(negative ? -total : total);
}

std::string duration_text(std::chrono::nanoseconds duration) {
  const std::int64_t count = duration.count();
  const std::string sign = count < 0 ? "-" : "";
  // Of the smallest number there is no positive one.
  const std::uint64_t value =
      count < 0 ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
  if (value == 0) return "0s";
  if (value < 1'000) return sign + std::to_string(value) + "ns";
  if (value < 1'000'000) return sign + with_fraction(value, 1'000) + "µs";
  if (value < kSecond) return sign + with_fraction(value, 1'000'000) + "ms";
  const std::uint64_t minutes = value / (60 * kSecond);
  std::string text = with_fraction(value % (60 * kSecond), kSecond) + "s";
  if (minutes > 0) text = std::to_string(minutes % 60) + "m" + text;
  if (minutes >= 60) text = std::to_string(minutes / 60) + "h" + text;
  return sign + text;
}

}  // namespace proxima
