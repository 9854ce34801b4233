// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <gtest/gtest.h>

#include <map>

namespace proxima::cli {
namespace {

Environment with(std::map<std::string, std::string> variables) {
  return [variables](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

TEST(Terminal, ColoursOnlyWhereTheyAreWanted) {
  const struct {
    const char* name;
    ColorMode mode;
    bool is_terminal;
    std::map<std::string, std::string> variables;
    Coloring coloring;
  } cases[] = {
      {"on a terminal", ColorMode::Auto, true, {}, Coloring::On},
      {"not in a pipe", ColorMode::Auto, false, {}, Coloring::Off},
      {"not with NO_COLOR", ColorMode::Auto, true, {{"NO_COLOR", "1"}}, Coloring::Off},
      {"an empty NO_COLOR says nothing", ColorMode::Auto, true, {{"NO_COLOR", ""}}, Coloring::On},
      {"not on a dumb terminal", ColorMode::Auto, true, {{"TERM", "dumb"}}, Coloring::Off},
      {"always means always", ColorMode::Always, false, {{"NO_COLOR", "1"}}, Coloring::On},
      {"never means never", ColorMode::Never, true, {}, Coloring::Off},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(choose_coloring(c.mode, c.is_terminal, with(c.variables)), c.coloring);
  }
}

TEST(Terminal, AFileHasNoWidthWhateverColumnsSays) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  EXPECT_FALSE(terminal_of(fileno(file), ColorMode::Auto, with({{"COLUMNS", "80"}})).width);
  std::fclose(file);
}

}  // namespace
}  // namespace proxima::cli
