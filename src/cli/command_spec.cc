// SPDX-License-Identifier: Apache-2.0
#include "cli/command_spec.h"

#include <string_view>

#include "cli/exit_code.h"

namespace proxima::cli {

namespace {

// "clients=WORKLOAD" offers "clients=": the rest is the user's to fill in.
std::string_view offered(std::string_view choice) {
  const auto equals = choice.find('=');
  return equals == std::string_view::npos ? choice : choice.substr(0, equals + 1);
}

std::vector<std::string> choices_of(std::string_view type) {
  std::vector<std::string> out;
  if (type.find('|') == std::string_view::npos) return out;
  while (true) {
    const auto bar = type.find('|');
    out.emplace_back(offered(type.substr(0, bar)));
    if (bar == std::string_view::npos) return out;
    type.remove_prefix(bar + 1);
  }
}

}  // namespace

void set_value(OptionSpec& option, std::string_view type) {
  const auto colon = type.find(':');
  if (colon == std::string_view::npos) {
    option.value = type;
    option.choices = choices_of(type);
    return;
  }
  option.value = type.substr(0, colon);
  option.choices = choices_of(type.substr(colon + 1));
  std::string names;
  for (const std::string& choice : option.choices) names += (names.empty() ? "" : ", ") + choice;
  option.description += ": " + names;
}

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
       "failed: a file cannot be read, there is no such service, node or zone, --strict met a bad "
       "object, or a check failed"},
      {static_cast<int>(ExitCode::Usage), "a flag or an argument is wrong; nothing was read"},
      {130, "interrupted (128 + SIGINT)"},
      {static_cast<int>(ExitCode::BrokenPipe),
       "the reader of the output went away (128 + SIGPIPE)"},
  };
}

}  // namespace proxima::cli
