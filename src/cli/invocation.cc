// SPDX-License-Identifier: Apache-2.0
#include "cli/invocation.h"

#include <cctype>

namespace proxima::cli {
namespace {

constexpr std::string_view kName = "proxima";
constexpr std::string_view kPluginName = "kubectl proxima";

// Whether a command may begin after `before`: at the start, after a blank, a quote or a bracket of
// the shell, and not inside a path or a longer word.
bool begins_command(char before) {
  return std::string_view(" '\"`(|\n").find(before) != std::string_view::npos;
}

// Whether `text` goes on after a command's first word: with an argument that is a word or a flag.
bool goes_on(std::string_view text) {
  return text.size() > 1 && text[0] == ' ' &&
         (std::islower(static_cast<unsigned char>(text[1])) != 0 || text[1] == '-' ||
          text.starts_with(" COMMAND"));
}

}  // namespace

Invocation invocation_of(std::string_view first_word) {
  const auto slash = first_word.rfind('/');
  if (slash != std::string_view::npos) first_word.remove_prefix(slash + 1);
  if (first_word == "kubectl-proxima") return Invocation::KubectlPlugin;
  if (first_word == "kubectl_complete-proxima") return Invocation::KubectlCompletion;
  return Invocation::Program;
}

std::string in_words_of(Invocation invocation, std::string_view text) {
  if (invocation == Invocation::Program) return std::string(text);
  std::string out;
  std::size_t from = 0;
  while (true) {
    const std::size_t at = text.find(kName, from);
    if (at == std::string_view::npos) return out.append(text.substr(from));
    const std::size_t end = at + kName.size();
    const bool command = (at == 0 || begins_command(text[at - 1])) && goes_on(text.substr(end));
    out.append(text.substr(from, at - from)).append(command ? kPluginName : kName);
    from = end;
  }
}

ProgramSpec in_words_of(Invocation invocation, ProgramSpec program) {
  if (invocation == Invocation::Program) return program;
  program.name = kPluginName;
  for (CommandSpec& command : program.commands) {
    for (Example& example : command.examples)
      example.command = in_words_of(invocation, example.command);
  }
  return program;
}

}  // namespace proxima::cli
