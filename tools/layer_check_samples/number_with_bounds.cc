// as: src/web/pigeon_report.cc
// breaks: nothing
// ---
// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "core/model/limits.h"

int count_of(const char* begin, const char* end) {
  int count = 0;
  std::from_chars(begin, end, count);
  return proxima::model::limit_of(proxima::model::Bounded::FlowRows).admits(count) ? count : 0;
}
