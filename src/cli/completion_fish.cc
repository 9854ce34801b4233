// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "cli/completion.h"

namespace proxima::cli {
namespace {

// Inside single quotes, fish knows two escapes.
std::string fish_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::string condition(const CommandSpec& command) {
  return "complete -c proxima -n '__fish_seen_subcommand_from " + command.name + "'";
}

std::string flag_line(const CommandSpec& command, const OptionSpec& option) {
  std::string out = condition(command);
  for (const std::string& name : option.names)
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (option.takes_file()) out += " -r -F";
  if (!option.value.empty() && !option.takes_file()) out += " -x";
  if (!option.choices.empty()) out += " -a '" + fish_escaped(joined(option.choices)) + "'";
  return out + " -d '" + fish_escaped(option.description) + "'\n";
}

std::string argument_line(const CommandSpec& command, const OptionSpec& argument,
                          const std::vector<std::string>& commands) {
  const auto choices = command.name == "help" ? commands : argument.choices;
  if (choices.empty()) return "";
  return condition(command) + " -a '" + fish_escaped(joined(choices)) + "'\n";
}

}  // namespace

std::string render_fish_completion(const ProgramSpec& program) {
  std::string out =
      "# fish completion for proxima; put it into ~/.config/fish/completions/proxima.fish.\n"
      "complete -c proxima -f\n";
  std::vector<std::string> commands;
  for (const CommandSpec& command : program.commands) {
    commands.push_back(command.name);
    out += "complete -c proxima -n __fish_use_subcommand -a " + command.name + " -d '" +
           fish_escaped(command.summary) + "'\n";
  }
  for (const CommandSpec& command : program.commands) {
    for (const OptionSpec& option : command.options) out += flag_line(command, option);
    for (const OptionSpec& argument : command.arguments)
      out += argument_line(command, argument, commands);
  }
  return out;
}

}  // namespace proxima::cli
