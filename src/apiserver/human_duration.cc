// SPDX-License-Identifier: Apache-2.0
#include "apiserver/human_duration.h"

#include <cstdint>

namespace proxima::apiserver {
namespace {

constexpr std::int64_t kHoursADay = 24;
constexpr std::int64_t kDaysAYear = 365;

// "3d", or "3d4h" when there is a rest.
std::string with_rest(std::int64_t whole, char unit, std::int64_t rest, char rest_unit) {
  std::string out = std::to_string(whole) + unit;
  return rest == 0 ? out : out + std::to_string(rest) + rest_unit;
}

std::string by_days(std::int64_t hours) {
  const std::int64_t days = hours / kHoursADay;
  if (days < 8) return with_rest(days, 'd', hours % kHoursADay, 'h');
  if (days < kDaysAYear * 2) return std::to_string(days) + "d";
  const std::int64_t rest = days < kDaysAYear * 8 ? days % kDaysAYear : 0;
  return with_rest(days / kDaysAYear, 'y', rest, 'd');
}

}  // namespace

std::string human_duration(std::chrono::nanoseconds duration) {
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return std::to_string(seconds) + "s";
  const std::int64_t minutes = seconds / 60;
  if (minutes < 10) return with_rest(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return std::to_string(minutes) + "m";
  const std::int64_t hours = minutes / 60;
  if (hours < 8) return with_rest(hours, 'h', minutes % 60, 'm');
  return hours < 48 ? std::to_string(hours) + "h" : by_days(hours);
}

}  // namespace proxima::apiserver
