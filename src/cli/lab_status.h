// SPDX-License-Identifier: Apache-2.0
// What /api/state says about a lab, as names and as tables. Pure.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "cli/lab_request.h"
#include "cli/table.h"

namespace proxima::cli {

// An error: not such a document.
Result<LabNames> lab_names(const std::string& state);
// Zones, nodes and services, one table each.
Result<std::string> lab_tables(const std::string& state, const TableLayout& layout);

}  // namespace proxima::cli
