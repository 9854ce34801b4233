// SPDX-License-Identifier: Apache-2.0
#include "cli/limits_command.h"

#include "cli/limits_text.h"

namespace proxima::cli {
namespace {

std::string rendered_limits(const OutputOptions& options, const Terminal& terminal) {
  switch (options.format) {
    case OutputFormat::Json:
      return limits_document(report::DocumentFormat::Json);
    case OutputFormat::Yaml:
      return limits_document(report::DocumentFormat::Yaml);
    case OutputFormat::Markdown:
      return limits_markdown();
    case OutputFormat::Wide:
      return limits_table(Width::Wide)
          .render({.coloring = terminal.coloring, .headers = !options.no_headers});
    case OutputFormat::Table:
    case OutputFormat::Patch:
      break;
  }
  return limits_table(Width::Usual)
      .render(
          {.width = terminal.width, .coloring = terminal.coloring, .headers = !options.no_headers});
}

}  // namespace

ExitCode run_limits(const LimitsCommand& command, Console& console) {
  console.print(rendered_limits(command.output, console.out_terminal(command.output.color)));
  return ExitCode::Answered;
}

}  // namespace proxima::cli
