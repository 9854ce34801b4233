// SPDX-License-Identifier: Apache-2.0
// All that a file holds.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

namespace proxima::test {

// Empty when the file is not there.
inline std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace proxima::test
