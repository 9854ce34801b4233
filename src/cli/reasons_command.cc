// SPDX-License-Identifier: Apache-2.0
#include "cli/reasons_command.h"

#include "cli/reasons_text.h"

namespace proxima::cli {
namespace {

std::string rendered(const OutputOptions& options, const Terminal& terminal) {
  switch (options.format) {
    case OutputFormat::Json:
      return reasons_document(report::DocumentFormat::Json);
    case OutputFormat::Yaml:
      return reasons_document(report::DocumentFormat::Yaml);
    case OutputFormat::Markdown:
      return reasons_markdown();
    case OutputFormat::Wide:
      return reasons_table(Width::Wide)
          .render({.coloring = terminal.coloring, .headers = !options.no_headers});
    case OutputFormat::Table:
    case OutputFormat::Patch:
      break;
  }
  return reasons_table(Width::Usual)
      .render(
          {.width = terminal.width, .coloring = terminal.coloring, .headers = !options.no_headers});
}

}  // namespace

ExitCode run_reasons(const ReasonsCommand& command, Console& console) {
  console.print(rendered(command.output, console.out_terminal(command.output.color)));
  return ExitCode::Answered;
}

}  // namespace proxima::cli
