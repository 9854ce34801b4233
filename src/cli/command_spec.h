// SPDX-License-Identifier: Apache-2.0
// What the command line looks like, without the library that reads it: help, man page and shell
// completions are all rendered from these values, so they cannot disagree with the parser.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace proxima::cli {

struct OptionSpec {
  std::vector<std::string> names;  // "-f", "--filename"; empty for an argument
  std::string value;               // "FILE", "table|wide|json"; "" for a switch
  std::string description;         // one sentence, without its full stop
  std::string group;               // heading under which help lists it
  bool required = false;
  bool repeatable = false;
  std::vector<std::string> choices;  // values to choose from; empty when anything goes

  bool takes_file() const { return value == "FILE"; }
};

// Sets `value`, `choices` and the end of the description from what the parser calls the type of a
// flag: "FILE", "bash|zsh|fish", or "POLICY:auto|balanced|…" where listing all in the heading would
// be too long.
void set_value(OptionSpec& option, std::string_view type);

struct Example {
  std::string purpose;
  std::string command;
};

struct CommandSpec {
  std::string name;
  std::string summary;      // one line
  std::string description;  // paragraphs, separated by empty lines
  std::vector<Example> examples;
  std::vector<OptionSpec> arguments;  // in order
  std::vector<OptionSpec> options;    // in the order of definition
};

struct ProgramSpec {
  std::string name;
  std::string summary;
  std::string description;
  std::string version;
  std::vector<CommandSpec> commands;

  const CommandSpec* find(std::string_view command) const;
};

// "proxima plan -f FILE [SERVICE...] [flags]"
std::string usage_line(const ProgramSpec& program, const CommandSpec& command);
// "-f, --filename FILE"
std::string option_heading(const OptionSpec& option);

struct ExitCodeSpec {
  int code;
  std::string meaning;
};
std::vector<ExitCodeSpec> exit_codes();

}  // namespace proxima::cli
