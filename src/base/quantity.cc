// SPDX-License-Identifier: Apache-2.0
#include "base/quantity.h"

#include <array>
#include <optional>
#include <string>

namespace proxima {
namespace {

using Wide = __int128;

// No unit of a cluster comes near 2^63; beyond that an input is a mistake, and the sum of a
// million such nodes still fits 128 bits of nano-units.
constexpr Wide kMaxNano = (static_cast<Wide>(1) << 63) * 1'000'000'000;

struct Suffix {
  std::string_view text;
  int power_of_ten;  // decimal suffixes
  int power_of_two;  // binary suffixes
};
constexpr Suffix kSuffixes[] = {
    {"n", -9, 0},  {"u", -6, 0},  {"m", -3, 0},  {"", 0, 0},    {"k", 3, 0},   {"M", 6, 0},
    {"G", 9, 0},   {"T", 12, 0},  {"P", 15, 0},  {"E", 18, 0},  {"Ki", 0, 10}, {"Mi", 0, 20},
    {"Gi", 0, 30}, {"Ti", 0, 40}, {"Pi", 0, 50}, {"Ei", 0, 60},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The exponent of "e3", "E-2", "e+1"; nullopt when `text` is no exponent ("E", "Ei", "e").
std::optional<int> parse_exponent(std::string_view text) {
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return std::nullopt;
  text.remove_prefix(1);
  bool negative = text[0] == '-';
  if (text[0] == '-' || text[0] == '+') text.remove_prefix(1);
  if (text.empty() || text.size() > 3) return std::nullopt;
  int value = 0;
  for (char c : text) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return negative ? -value : value;
}

struct Scale {
  int power_of_ten = 0;
  int power_of_two = 0;
};

std::optional<Scale> parse_scale(std::string_view suffix) {
  for (const Suffix& known : kSuffixes) {
    if (known.text == suffix) return Scale{known.power_of_ten, known.power_of_two};
  }
  if (auto exponent = parse_exponent(suffix)) return Scale{*exponent, 0};
  return std::nullopt;
}

// digits × 10^power × 2^twos in nano-units, rounded up; nullopt when too large.
std::optional<Wide> scaled_nano(Wide digits, int power, int twos) {
  power += 9;
  if (digits == 0) return 0;
  for (; twos > 0; --twos) {
    if (digits > kMaxNano) return std::nullopt;
    digits *= 2;
  }
  for (; power > 0; --power) {
    if (digits > kMaxNano) return std::nullopt;
    digits *= 10;
  }
  for (; power < 0; ++power) {
    if (digits == 1) return 1;  // ever smaller, but never nothing: rounding is up
    digits = digits / 10 + (digits % 10 != 0 ? 1 : 0);
  }
  if (digits > kMaxNano) return std::nullopt;
  return digits;
}

Error malformed(std::string_view text, std::string_view why) {
  return Error{ErrorCode::InvalidInput,
               "not a quantity: \"" + std::string(text) + "\" (" + std::string(why) + ")"};
}

}  // namespace

Result<Quantity> Quantity::parse(std::string_view text) {
  std::string_view rest = text;
  if (!rest.empty() && rest.front() == '-') return malformed(text, "negative");
  if (!rest.empty() && rest.front() == '+') rest.remove_prefix(1);
  Wide digits = 0;
  int power = 0;
  bool any_digit = false, fraction = false, lost = false;
  for (; !rest.empty() && (is_digit(rest.front()) || (rest.front() == '.' && !fraction));
       rest.remove_prefix(1)) {
    if (rest.front() == '.') {
      fraction = true;
      continue;
    }
    any_digit = true;
    if (digits > kMaxNano) {  // more digits than matter: remember only that something was cut
      if (!fraction) return malformed(text, "too large");
      lost = lost || rest.front() != '0';
      continue;
    }
    digits = digits * 10 + (rest.front() - '0');
    if (fraction) --power;
  }
  if (!any_digit) return malformed(text, "no digits");
  auto scale = parse_scale(rest);
  if (!scale) return malformed(text, "unknown suffix");
  auto nano =
      scaled_nano(digits + (lost ? 1 : 0), power + scale->power_of_ten, scale->power_of_two);
  if (!nano) return malformed(text, "too large");
  return Quantity(*nano);
}

std::int64_t Quantity::milli() const {
  constexpr Wide kNanoPerMilli = 1'000'000;
  const Wide milli = nano_ / kNanoPerMilli + (nano_ % kNanoPerMilli != 0 ? 1 : 0);
  constexpr Wide kMax = INT64_MAX;
  return static_cast<std::int64_t>(milli > kMax ? kMax : milli);
}

}  // namespace proxima
