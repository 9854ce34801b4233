// SPDX-License-Identifier: Apache-2.0
#include "core/model/limits.h"

#include <array>
#include <charconv>
#include <iterator>

namespace proxima::model {
namespace {

constexpr bool one_row_a_number_in_order() {
  for (std::size_t i = 0; i < std::size(kLimits); ++i) {
    const Limit& limit = kLimits[i];
    if (static_cast<std::size_t>(limit.number) != i || !(limit.least <= limit.most)) return false;
  }
  return kLimits[std::size(kLimits) - 1].number == Bounded::ArchiveBytes;
}
static_assert(one_row_a_number_in_order());

}  // namespace

std::string limit_text(double bound) {
  std::array<char, 64> digits;
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), bound, std::chars_format::fixed);
  std::string text(digits.data(), end.ptr);
  const std::size_t whole = text.find('.') == std::string::npos ? text.size() : text.find('.');
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  for (std::size_t at = whole; at > first + 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string range_text(const Limit& limit) {
  return "a number from " + limit_text(limit.least) + " to " + limit_text(limit.most);
}

}  // namespace proxima::model
