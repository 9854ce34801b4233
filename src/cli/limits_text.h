// SPDX-License-Identifier: Apache-2.0
// The table of limits in the forms that people and documents need.
#pragma once

#include <string>

#include "cli/plan_table.h"
#include "cli/table.h"
#include "report/document.h"

namespace proxima::cli {

// Usual: the number and its bounds; wide: where it comes from, and what happens beyond.
Table limits_table(Width width);
std::string limits_document(report::DocumentFormat format);
// docs/reference/limits.md.
std::string limits_markdown();

}  // namespace proxima::cli
