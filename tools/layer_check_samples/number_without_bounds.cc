// as: src/web/pigeon_report.cc
// breaks: number-without-bounds
// ---
// SPDX-License-Identifier: Apache-2.0
#include <charconv>

int count_of(const char* begin, const char* end) {
  int count = 0;
  std::from_chars(begin, end, count);
  return count;
}
