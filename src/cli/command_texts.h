// SPDX-License-Identifier: Apache-2.0
// The words of the help: what each command is for, with examples that work.
#pragma once

#include <span>
#include <string_view>

#include "cli/command_spec.h"

namespace proxima::cli {

struct ExampleText {
  std::string_view purpose;
  std::string_view command;
};

struct CommandText {
  std::string_view name;
  std::string_view summary;
  std::string_view description;  // paragraphs, separated by empty lines
  std::span<const ExampleText> examples;
};

std::string_view program_summary();
std::string_view program_description();
// For a name that is a command.
const CommandText& text_of_command(std::string_view name);

}  // namespace proxima::cli
