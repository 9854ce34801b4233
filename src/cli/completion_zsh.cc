// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "cli/completion.h"

namespace proxima::cli {
namespace {

// Inside single quotes and inside the brackets of _arguments.
std::string zsh_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

// ":what:action" for what follows a flag; "" for a switch.
std::string action_of(const OptionSpec& option) {
  if (option.value.empty()) return "";
  if (option.takes_file()) return ":file:_files";
  if (option.choices.empty()) return ":" + zsh_escaped(option.value) + ":";
  std::string out = ":value:(";
  for (const std::string& choice : option.choices) out += (out.back() == '(' ? "" : " ") + choice;
  return out + ")";
}

std::string flag_lines(const OptionSpec& option) {
  std::string out;
  for (const std::string& name : option.names) {
    out += " \\\n        '" + std::string(option.repeatable ? "*" : "") + name + "[" +
           zsh_escaped(option.description) + "]" + action_of(option) + "'";
  }
  return out;
}

std::string zsh_case(const CommandSpec& command) {
  std::string out = "    " + command.name + ")\n      _arguments -s";
  for (const OptionSpec& option : command.options) out += flag_lines(option);
  for (const OptionSpec& argument : command.arguments) {
    const std::string action =
        command.name == "help" ? ":command:_proxima_commands" : action_of(argument);
    out += " \\\n        '" + std::string(argument.repeatable ? "*" : "") + action + "'";
  }
  return out + "\n      ;;\n";
}

}  // namespace

std::string render_zsh_completion(const ProgramSpec& program) {
  std::string commands, cases;
  for (const CommandSpec& command : program.commands) {
    commands += "    '" + command.name + ":" + zsh_escaped(command.summary) + "'\n";
    cases += zsh_case(command);
  }
  return "#compdef proxima\n"
         "# zsh completion for proxima; put it into a folder of $fpath as _proxima.\n"
         "_proxima_commands() {\n"
         "  local -a commands=(\n" +
         commands +
         "  )\n"
         "  _describe 'command' commands\n"
         "}\n"
         "_proxima() {\n"
         "  if ((CURRENT == 2)); then\n"
         "    _proxima_commands\n"
         "    return\n"
         "  fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  ((CURRENT--))\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "}\n"
         "if [[ $funcstack[1] == _proxima ]]; then _proxima \"$@\"; else compdef _proxima proxima; "
         "fi\n";
}

}  // namespace proxima::cli
