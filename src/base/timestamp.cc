// SPDX-License-Identifier: Apache-2.0
#include "base/timestamp.h"

#include <array>
#include <cstdio>
#include <optional>

namespace proxima {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr std::size_t kMaxTimeBytes = 64;  // nobody writes a longer one, and messages quote it

std::string render(WallTime time) {
  const auto days = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(days);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<seconds>(time - days));
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text.data();
}

// Takes text apart from the left; once something did not fit, nothing fits any more.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  int number(std::size_t digits) {
    int value = 0;
    for (; digits > 0; --digits) value = value * 10 + digit();
    return value;
  }
  void expect(char wanted) { good_ = take(wanted) && good_; }
  bool take(char wanted) {
    if (!starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool starts_with(char c) const { return !rest_.empty() && rest_.front() == c; }
  bool at_digit() const { return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; }
  bool good() const { return good_; }
  bool finished() const { return good_ && rest_.empty(); }
  void fail() { good_ = false; }

 private:
  int digit() {
    if (!at_digit()) {
      good_ = false;
      return 0;
    }
    const int value = rest_.front() - '0';
    rest_.remove_prefix(1);
    return value;
  }

  std::string_view rest_;
  bool good_ = true;
};

seconds read_clock(Reader& reader) {
  const int hours = reader.number(2);
  reader.expect(':');
  const int minutes = reader.number(2);
  reader.expect(':');
  const int secs = reader.number(2);
  if (hours > 23 || minutes > 59 || secs > 59) reader.fail();
  return seconds(hours * 3600 + minutes * 60 + secs);
}

std::chrono::nanoseconds read_fraction(Reader& reader) {
  std::chrono::nanoseconds fraction{0};
  if (!reader.take('.') && !reader.take(',')) return fraction;
  if (!reader.at_digit()) reader.fail();
  for (std::int64_t unit = 100'000'000; reader.at_digit(); unit /= 10)
    fraction += std::chrono::nanoseconds(reader.number(1) * unit);
  return fraction;
}

seconds read_offset(Reader& reader) {
  if (reader.take('Z')) return seconds(0);
  const bool west = reader.starts_with('-');
  if (!reader.take('-')) reader.expect('+');
  const int hours = reader.number(2);
  reader.expect(':');
  const int minutes = reader.number(2);
  if (hours > 23 || minutes > 59) reader.fail();
  const seconds offset(hours * 3600 + minutes * 60);
  return west ? -offset : offset;
}

std::optional<WallTime> read_time(std::string_view text) {
  Reader reader(text);
  const int year = reader.number(4);
  reader.expect('-');
  const auto month = static_cast<unsigned>(reader.number(2));
  reader.expect('-');
  const auto day = static_cast<unsigned>(reader.number(2));
  reader.expect('T');
  const seconds clock = read_clock(reader);
  const std::chrono::nanoseconds fraction = read_fraction(reader);
  const seconds offset = read_offset(reader);
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  // The clock's nanoseconds end in 2262 and begin in 1677.
  if (!reader.finished() || !date.ok() || year < 1700 || year > 2200) return std::nullopt;
  return std::chrono::sys_days(date) + clock + fraction - offset;
}

}  // namespace

std::string time_text(WallTime time) { return render(time) + "Z"; }

std::string micro_time_text(WallTime time) {
  const auto whole = std::chrono::floor<seconds>(time);
  const auto micros = std::chrono::floor<microseconds>(time - whole).count();
  std::array<char, 16> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%06dZ", static_cast<int>(micros));
  return render(time) + fraction.data();
}

Result<WallTime> parse_time(std::string_view text) {
  if (text.size() <= kMaxTimeBytes) {
    if (const auto time = read_time(text)) return *time;
  }
  return Error{ErrorCode::InvalidInput, "not a time as RFC 3339 writes it"};
}

}  // namespace proxima
