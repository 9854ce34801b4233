// SPDX-License-Identifier: Apache-2.0
// A command line that a test takes for granted.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "cli/command_line.h"
#include "support/words.h"

namespace proxima::test {

// The command T that `line` gives; the test fails when it gives none or another.
template <class T>
T parsed(const std::string& line) {
  const auto command = cli::parse_command_line(testing::words(line));
  EXPECT_TRUE(command) << line << ": " << (command ? "" : command.error().message);
  if (!command || !std::holds_alternative<T>(*command)) {
    ADD_FAILURE() << line << " is another command";
    return {};
  }
  return std::get<T>(*command);
}

}  // namespace proxima::test
