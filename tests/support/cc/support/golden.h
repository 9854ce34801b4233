// SPDX-License-Identifier: Apache-2.0
// Compares a text with a file that is kept beside the sources. UPDATE=1 in the environment writes
// the file anew; a review then reads the difference.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "support/source_folder.h"

namespace proxima::test {

// `file` is a path below src/.
inline void expect_golden(const std::string& file, const std::string& text) {
  const std::string path = source_folder() + "/src/" + file;
  if (std::getenv("UPDATE") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ifstream in(path, std::ios::binary);
  ASSERT_TRUE(in) << path << " is missing; UPDATE=1 makes it";
  std::ostringstream kept;
  kept << in.rdbuf();
  EXPECT_EQ(text, kept.str()) << path << " differs; UPDATE=1 writes it anew";
}

}  // namespace proxima::test
