// SPDX-License-Identifier: Apache-2.0
// The command line as a page of the documentation, in Markdown.
#pragma once

#include <string>

#include "cli/command_spec.h"

namespace proxima::cli {

std::string render_markdown_reference(const ProgramSpec& program);

}  // namespace proxima::cli
