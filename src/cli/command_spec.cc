// SPDX-License-Identifier: Apache-2.0
#include "cli/command_spec.h"

#include <string_view>

#include "cli/exit_code.h"

namespace proxima::cli {

std::vector<std::string> OptionSpec::choices() const {
  if (value.find('|') == std::string::npos) return {};
  std::vector<std::string> out;
  std::string_view rest = value;
  while (true) {
    const auto bar = rest.find('|');
    const std::string_view choice = rest.substr(0, bar);
    // "clients=WORKLOAD": what follows the "=" is the user's to fill in.
    out.emplace_back(choice.substr(0, choice.find('=') == std::string_view::npos
                                          ? std::string_view::npos
                                          : choice.find('=') + 1));
    if (bar == std::string_view::npos) return out;
    rest.remove_prefix(bar + 1);
  }
}

bool OptionSpec::takes_file() const { return value == "FILE"; }

const CommandSpec* ProgramSpec::find(std::string_view command) const {
  for (const CommandSpec& spec : commands) {
    if (spec.name == command) return &spec;
  }
  return nullptr;
}

std::string option_heading(const OptionSpec& option) {
  std::string out;
  for (const std::string& name : option.names) out += (out.empty() ? "" : ", ") + name;
  if (!option.value.empty()) out += (out.empty() ? "" : " ") + option.value;
  return out;
}

std::string usage_line(const ProgramSpec& program, const CommandSpec& command) {
  std::string out = program.name + " " + command.name;
  for (const OptionSpec& option : command.options) {
    if (option.required) out += " " + option.names.front() + " " + option.value;
  }
  for (const OptionSpec& argument : command.arguments) {
    const std::string text = argument.value + (argument.repeatable ? "..." : "");
    out += argument.required ? " " + text : " [" + text + "]";
  }
  return out + " [flags]";
}

std::vector<ExitCodeSpec> exit_codes() {
  return {
      {static_cast<int>(ExitCode::Answered),
       "answered; objects that could not be read were left out with a warning"},
      {static_cast<int>(ExitCode::Failed),
       "failed: a file cannot be read, there is no such service, node or zone, or --strict met a "
       "bad object"},
      {static_cast<int>(ExitCode::Usage), "a flag or an argument is wrong; nothing was read"},
      {130, "interrupted (128 + SIGINT)"},
      {static_cast<int>(ExitCode::BrokenPipe),
       "the reader of the output went away (128 + SIGPIPE)"},
  };
}

}  // namespace proxima::cli
