// SPDX-License-Identifier: Apache-2.0
#include "cli/word_completion.h"

#include <algorithm>

namespace proxima::cli {
namespace {

const OptionSpec* find_flag(const CommandSpec& command, std::string_view name) {
  for (const OptionSpec& option : command.options) {
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end())
      return &option;
  }
  return nullptr;
}

void offer(Completions& out, std::string_view typed, std::string word, std::string description) {
  if (word.starts_with(typed)) out.candidates.push_back({std::move(word), std::move(description)});
}

// The value of a flag; `before` is what the word already says of the flag itself: "--output=".
Completions values_of(const OptionSpec& option, std::string_view typed, const std::string& before) {
  Completions out;
  out.files = option.takes_file();
  for (const std::string& choice : option.choices) offer(out, typed, before + choice, "");
  return out;
}

Completions commands_of(const ProgramSpec& program, std::string_view typed) {
  Completions out;
  for (const CommandSpec& command : program.commands)
    offer(out, typed, command.name, command.summary);
  return out;
}

Completions flags_of(const CommandSpec& command, std::string_view typed) {
  Completions out;
  for (const OptionSpec& option : command.options) {
    for (const std::string& name : option.names) offer(out, typed, name, option.description);
  }
  return out;
}

Completions arguments_of(const ProgramSpec& program, const CommandSpec& command,
                         std::string_view typed) {
  if (command.name == "help") return commands_of(program, typed);
  Completions out;
  for (const OptionSpec& argument : command.arguments) {
    out.files = out.files || argument.takes_file();
    for (const std::string& choice : argument.choices) offer(out, typed, choice, "");
  }
  return out;
}

}  // namespace

Completions complete_words(const ProgramSpec& program, std::span<const std::string> words) {
  if (words.empty()) return commands_of(program, "");
  const std::string& typed = words.back();
  if (words.size() == 1) return commands_of(program, typed);
  const CommandSpec* command = program.find(words.front());
  if (command == nullptr) return {};
  const OptionSpec* before = find_flag(*command, words[words.size() - 2]);
  if (before != nullptr && !before->value.empty()) return values_of(*before, typed, "");
  if (!typed.starts_with("-")) return arguments_of(program, *command, typed);
  const auto equals = typed.find('=');
  if (equals == std::string::npos) return flags_of(*command, typed);
  const OptionSpec* option = find_flag(*command, typed.substr(0, equals));
  return option == nullptr ? Completions{} : values_of(*option, typed, typed.substr(0, equals + 1));
}

std::string render_for_kubectl(const Completions& completions) {
  constexpr std::string_view kFilesToo = ":0\n";
  constexpr std::string_view kNoFiles = ":4\n";
  std::string out;
  for (const Candidate& candidate : completions.candidates) {
    out += candidate.word;
    if (!candidate.description.empty()) out += "\t" + candidate.description;
    out += '\n';
  }
  return out.append(completions.files ? kFilesToo : kNoFiles);
}

}  // namespace proxima::cli
