// SPDX-License-Identifier: Apache-2.0
#include "cli/output_flags.h"

namespace proxima::cli {

FlagRows look_flags(OutputOptions& options) {
  const std::string group = "Output";
  return {
      switch_row("--no-headers", group, options.no_headers, "Tables without their first line"),
      choice_row("--color", group, options.color, kColorModes,
                 "Colours: on a terminal (auto), always or never; NO_COLOR switches auto off"),
      {"--no-color", "", group, "The same as --color never",
       [&options](const std::string& text) -> Status {
         if (text == "true") options.color = ColorMode::Never;
         return Unit{};
       }},
  };
}

}  // namespace proxima::cli
