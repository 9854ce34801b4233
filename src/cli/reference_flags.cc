// SPDX-License-Identifier: Apache-2.0
#include "cli/reference_flags.h"

#include "cli/output_flags.h"

namespace proxima::cli {

FlagRows reasons_flags(ReasonsCommand& command) {
  return output_flags(command.output, kReasonFormats);
}

FlagRows limits_flags(LimitsCommand& command) {
  return output_flags(command.output, kReasonFormats);
}

FlagRows completion_flags(CompletionCommand& command) {
  FlagRows rows = {choice_row("shell", kArguments, command.shell, kShells, "The shell")};
  rows.front().required = true;
  return rows;
}

FlagRows man_flags(ManCommand& command) {
  return {choice_row("-o,--output", "Output", command.format, kManFormats,
                     "Format of the output (default roff)")};
}

FlagRows version_flags(VersionCommand& command) {
  return {
      choice_row("-o,--output", "Output", command.format, kVersionFormats, "Format of the output")};
}

FlagRows help_flags(HelpCommand& command) {
  return {text_row("command", "COMMAND", "", command.topic, "The command")};
}

}  // namespace proxima::cli
