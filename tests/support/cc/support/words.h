// SPDX-License-Identifier: Apache-2.0
// Lines of words: rows of tables that describe things ("ready ending moved"), command lines.
#pragma once

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::testing {

// Whether `text` has the word, as a whole.
inline bool says(std::string_view text, std::string_view word) {
  return (" " + std::string(text) + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

inline std::vector<std::string> words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

}  // namespace proxima::testing
