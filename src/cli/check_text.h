// SPDX-License-Identifier: Apache-2.0
// Checks and their results in the forms that people, programs and documents need.
#pragma once

#include <string>
#include <vector>

#include "checks/judge.h"
#include "cli/note_text.h"
#include "cli/table.h"
#include "report/document.h"

namespace proxima::cli {

// By group, with the remedy of what failed or warned, and a last line that counts.
std::string check_text(const std::vector<checks::CheckResult>& results, const ProseLayout& layout);
std::string check_document(const std::vector<checks::CheckResult>& results,
                           report::DocumentFormat format);

// What `scope` has, without results.
Table check_list_table(const checks::Scope& scope);
// The same, with the rights that are checked.
std::string check_list_document(const checks::Scope& scope, report::DocumentFormat format);
// docs/check.md.
std::string check_list_markdown(const checks::Scope& scope);

}  // namespace proxima::cli
