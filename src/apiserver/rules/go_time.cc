// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/go_time.h"

#include <optional>

#include "apiserver/rules/go_text.h"
#include "base/ascii.h"
#include "base/timestamp.h"

namespace proxima::apiserver::rules {
namespace {

// Walks a text along the layout, element by element, until one does not fit.
class Layout {
 public:
  Layout(std::string_view text, TimePrecision precision)
      : text_(text), rest_(text), micro_(precision == TimePrecision::Micro) {}

  // What is wrong, or nullopt.
  std::optional<std::string> problem() {
    const bool read = number("2006", 4, year_) && literal("-") && number("01", 2, month_) &&
                      in_range(month_, 1, 12, "month") && literal("-") && number("02", 2, day_) &&
                      literal("T") && clock() && fraction() && zone();
    if (!read) return problem_;
    if (!rest_.empty()) return said(": extra text: " + go_quote(rest_));
    if (day_ < 1 || day_ > days_in_month()) return said(": day out of range");
    return std::nullopt;
  }

 private:
  std::string said(const std::string& what) const {
    return "parsing time " + go_quote(text_) + what;
  }
  bool fail(std::string_view element) {
    const std::string_view layout =
        micro_ ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
    problem_ = said(" as " + go_quote(layout) + ": cannot parse " + go_quote(rest_) + " as " +
                    go_quote(element));
    return false;
  }
  bool in_range(int value, int least, int most, const char* what) {
    if (value >= least && value <= most) return true;
    problem_ = said(std::string(": ") + what + " out of range");
    return false;
  }
  bool literal(std::string_view character) {
    if (rest_.empty() || rest_.front() != character.front()) return fail(character);
    rest_.remove_prefix(1);
    return true;
  }
  bool number(std::string_view element, std::size_t digits, int& out) {
    if (rest_.size() < digits) return fail(element);
    out = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!is_digit(rest_[i])) return fail(element);
      out = out * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return true;
  }
  bool clock() {
    int value = 0;
    return number("15", 2, value) && in_range(value, 0, 23, "hour") && literal(":") &&
           number("04", 2, value) && in_range(value, 0, 59, "minute") && literal(":") &&
           number("05", 2, value) && in_range(value, 0, 59, "second");
  }
  std::size_t fraction_digits() const {
    if (rest_.empty() || (rest_.front() != '.' && rest_.front() != ',')) return 0;
    std::size_t end = 1;
    while (end < rest_.size() && is_digit(rest_[end])) ++end;
    return end - 1;
  }
  bool fraction() {
    const std::size_t digits = fraction_digits();
    if (micro_ && digits != 6) return fail(".000000");
    if (digits > 0) rest_.remove_prefix(digits + 1);
    return true;
  }
  bool zone() {
    if (!rest_.empty() && rest_.front() == 'Z') {
      rest_.remove_prefix(1);
      return true;
    }
    const bool fits = rest_.size() >= 6 && (rest_[0] == '+' || rest_[0] == '-') &&
                      is_digit(rest_[1]) && is_digit(rest_[2]) && rest_[3] == ':' &&
                      is_digit(rest_[4]) && is_digit(rest_[5]);
    if (!fits) return fail("Z07:00");
    rest_.remove_prefix(6);
    return true;
  }
  int days_in_month() const {
    constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year_ % 4 == 0 && (year_ % 100 != 0 || year_ % 400 == 0);
    return month_ == 2 && leap ? 29 : kDays[month_ - 1];
  }

  std::string_view text_;
  std::string_view rest_;
  bool micro_;
  int year_ = 0;
  int month_ = 1;
  int day_ = 1;
  std::optional<std::string> problem_;
};

}  // namespace

Result<std::string> canonical_time(std::string_view text, TimePrecision precision) {
  if (auto problem = Layout(text, precision).problem())
    return Error{ErrorCode::InvalidInput, std::move(*problem)};
  PROXIMA_TRY(const WallTime time, parse_time(text), "time");
  return precision == TimePrecision::Micro ? micro_time_text(time) : time_text(time);
}

}  // namespace proxima::apiserver::rules
