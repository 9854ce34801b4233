// SPDX-License-Identifier: Apache-2.0
// The flags that say how results are printed.
#pragma once

#include <cstddef>

#include "cli/argument_values.h"
#include "cli/flag_row.h"
#include "cli/value_rows.h"

namespace proxima::cli {

// All but the format. Bound to the options, which must outlive them.
FlagRows look_flags(OutputOptions& options);

// `formats` is a constant of argument_values.h. Bound to the options, which must outlive them.
template <std::size_t N>
FlagRows output_flags(OutputOptions& options, const Choices<OutputFormat, N>& formats) {
  FlagRows rows = {choice_row("-o,--output", "Output", options.format, formats,
                              "Format of the output (default table)")};
  append(rows, look_flags(options));
  return rows;
}

}  // namespace proxima::cli
