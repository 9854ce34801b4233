// SPDX-License-Identifier: Apache-2.0
// `proxima compare` as JSON or YAML: every service and every policy.
#pragma once

#include <string>

#include "cli/compare_table.h"
#include "report/document.h"

namespace proxima::cli {

std::string compare_document(const plan::Comparison& comparison, const CompareFacts& facts,
                             report::DocumentFormat format);

}  // namespace proxima::cli
