// SPDX-License-Identifier: Apache-2.0
// The table of reasons in the forms that people and documents need.
#pragma once

#include <string>

#include "cli/plan_table.h"
#include "cli/table.h"
#include "report/document.h"

namespace proxima::cli {

// Usual: code and sentence; wide: severity and remedy too.
Table reasons_table(Width width);
std::string reasons_document(report::DocumentFormat format);
// docs/reasons.md.
std::string reasons_markdown();

}  // namespace proxima::cli
