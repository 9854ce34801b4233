// SPDX-License-Identifier: Apache-2.0
#include "cli/generate_command.h"

#include "manifest/generate.h"

namespace proxima::cli {

ExitCode run_generate(const GenerateCommand& command, Console& console) {
  const auto sink = [&](std::string_view piece) { console.print(piece); };
  const Status status = manifest::generate(command.options, sink);
  if (status) return ExitCode::Answered;
  console.error(status.error().message);
  return ExitCode::Usage;
}

}  // namespace proxima::cli
