// SPDX-License-Identifier: Apache-2.0
#include "base/json_values.h"

namespace proxima {
namespace {

std::size_t end_of_string(std::string_view json, std::size_t at) {
  while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
  return at;
}

}  // namespace

std::size_t json_values_at_most(std::string_view json) {
  // Every value but the first of a container follows a comma, and the first follows a bracket.
  std::size_t count = 1;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      i = end_of_string(json, i + 1);
    } else if (c == ',' || c == '[' || c == '{') {
      ++count;
    }
  }
  return count;
}

}  // namespace proxima
