// SPDX-License-Identifier: Apache-2.0
// Services whose planning failed, told after the rest was printed.
#pragma once

#include <vector>

#include "base/result.h"
#include "core/plan/compare.h"
#include "core/plan/migration.h"

namespace proxima::cli {

struct FailedService {
  model::ServiceIndex service;
  policy::Note why;
};

std::vector<FailedService> failed_services(const plan::Comparison& comparison);
std::vector<FailedService> failed_services(const plan::Migrations& migrations);

// An error that names the first of them and counts the others; success when there is none.
Status planning_status(const model::Snapshot& snapshot, const std::vector<FailedService>& failed);

}  // namespace proxima::cli
