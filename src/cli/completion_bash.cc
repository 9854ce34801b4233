// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.h"

namespace proxima::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* separator) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : separator) + word;
  return out;
}

std::string flag_names(const CommandSpec& command) {
  std::vector<std::string> names;
  for (const OptionSpec& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return joined(names, " ");
}

// What follows a flag, by "command:flag"; a value that can be anything completes to nothing.
std::string value_cases(const CommandSpec& command) {
  std::string out;
  for (const OptionSpec& option : command.options) {
    if (option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(command.name + ":" + name);
    out += "    " + joined(patterns, "|") + ")\n";
    if (option.takes_file()) out += "      _proxima_files\n";
    if (!option.choices.empty())
      out += "      _proxima_words \"" + joined(option.choices, " ") + "\"\n";
    out += "      return ;;\n";
  }
  return out;
}

std::string bash_case(const CommandSpec& command) {
  std::vector<std::string> words = {flag_names(command)};
  for (const OptionSpec& argument : command.arguments) {
    if (!argument.choices.empty()) words.push_back(joined(argument.choices, " "));
  }
  return "    " + command.name + ") _proxima_words \"" + joined(words, " ") + "\" ;;\n";
}

}  // namespace

std::string render_bash_completion(const ProgramSpec& program) {
  std::vector<std::string> commands;
  std::string values, words;
  for (const CommandSpec& command : program.commands) {
    commands.push_back(command.name);
    values += value_cases(command);
    words += bash_case(command);
  }
  return "# bash completion for proxima; source it, or put it where bash-completion looks.\n"
         "_proxima_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n"
         "_proxima_files() {\n"
         "  compopt -o filenames 2>/dev/null\n"
         "  mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
         "}\n"
         "_proxima() {\n"
         "  local cur=\"${COMP_WORDS[COMP_CWORD]}\" prev=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
         "  local command=\"${COMP_WORDS[1]}\"\n"
         "  COMPREPLY=()\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    _proxima_words \"" +
         joined(commands, " ") +
         " --help --version\"\n"
         "    return\n"
         "  fi\n"
         "  case \"$command:$prev\" in\n" +
         values +
         "  esac\n"
         "  if [[ $command == help ]]; then\n"
         "    _proxima_words \"" +
         joined(commands, " ") +
         "\"\n"
         "    return\n"
         "  fi\n"
         "  case \"$command\" in\n" +
         words +
         "  esac\n"
         "}\n"
         "complete -F _proxima proxima\n";
}

}  // namespace proxima::cli
