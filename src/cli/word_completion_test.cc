// SPDX-License-Identifier: Apache-2.0
#include "cli/word_completion.h"

#include <gtest/gtest.h>

#include "cli/command_line.h"

namespace proxima::cli {
namespace {

ProgramSpec completion_program() {
  OptionSpec output{{"-o", "--output"}, "", "Format", "Output", false, false, {}};
  set_value(output, "table|json");
  const OptionSpec strict{{"--strict"}, "", "Fail", "Input", false, false, {}};
  const OptionSpec file{{"-f"}, "FILE", "Read it", "Input", true, true, {}};
  OptionSpec shell{{}, "", "The shell", "", true, false, {}};
  set_value(shell, "bash|zsh");
  const OptionSpec service{{}, "SERVICE", "Services", "", false, true, {}};
  return {"proxima",
          "",
          "",
          "",
          {{"plan", "Plan it", "", {}, {service}, {file, output, strict}},
           {"completion", "Complete it", "", {}, {shell}, {}},
           {"help", "Help", "", {}, {}, {}}}};
}

TEST(WordCompletion, KnowsWhatCanComeNext) {
  const struct {
    const char* name;
    std::vector<std::string> words;
    std::string offered;
  } rows[] = {
      {"all commands", {""}, "plan\tPlan it\ncompletion\tComplete it\nhelp\tHelp\n:4\n"},
      {"nothing typed at all", {}, "plan\tPlan it\ncompletion\tComplete it\nhelp\tHelp\n:4\n"},
      {"a command by its beginning", {"pl"}, "plan\tPlan it\n:4\n"},
      {"no command begins so", {"x"}, ":4\n"},
      {"an unknown command has no flags", {"moon", "-"}, ":4\n"},
      {"flags by their beginning", {"plan", "--s"}, "--strict\tFail\n:4\n"},
      {"the values of a flag", {"plan", "-o", ""}, "table\njson\n:4\n"},
      {"a value by its beginning", {"plan", "-o", "j"}, "json\n:4\n"},
      {"a value after an equals sign", {"plan", "--output=j"}, "--output=json\n:4\n"},
      {"an unknown flag has no values", {"plan", "--moon=j"}, ":4\n"},
      {"files for a flag that reads one", {"plan", "-f", ""}, ":0\n"},
      {"a switch takes no value", {"plan", "--strict", "--o"}, "--output\tFormat\n:4\n"},
      {"services are anybody's guess", {"plan", "sh"}, ":4\n"},
      {"an argument with choices", {"completion", "z"}, "zsh\n:4\n"},
      {"help is about a command", {"help", "p"}, "plan\tPlan it\n:4\n"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(render_for_kubectl(complete_words(completion_program(), row.words)), row.offered)
        << row.name;
}

TEST(WordCompletion, OffersEveryFlagOfEveryCommand) {
  const ProgramSpec program = describe_program();
  for (const CommandSpec& command : program.commands) {
    std::size_t names = 0;
    for (const OptionSpec& option : command.options) names += option.names.size();
    const std::string words[] = {command.name, "-"};
    EXPECT_EQ(complete_words(program, words).candidates.size(), names) << command.name;
  }
}

}  // namespace
}  // namespace proxima::cli
