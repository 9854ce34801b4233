// SPDX-License-Identifier: Apache-2.0
// `proxima migrate` as JSON or YAML: what every service asks for, what each move changes, what is
// in its way, and its patch.
#pragma once

#include <string>
#include <string_view>

#include "core/plan/migration.h"
#include "report/document.h"

namespace proxima::report {

// "trafficDistribution", "balanced", "auto".
std::string_view to_text(plan::MoveTarget target);

// What figures stand on: sentences, and what a unit of cost is in money.
struct MigrationFacts {
  double money_per_unit = 0;
  std::string traffic;
  std::string demand;
  std::string price;
};

std::string migration_document(const plan::Migrations& migrations, const MigrationFacts& facts,
                               DocumentFormat format);

}  // namespace proxima::report
