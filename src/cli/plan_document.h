// SPDX-License-Identifier: Apache-2.0
// `proxima plan` as JSON or YAML: everything the plan holds.
#pragma once

#include <string>
#include <vector>

#include "cli/plan_table.h"
#include "report/document.h"

namespace proxima::cli {

std::string plan_document(const plan::ClusterPlan& plan,
                          const std::vector<PlannedService>& services,
                          report::DocumentFormat format);

}  // namespace proxima::cli
