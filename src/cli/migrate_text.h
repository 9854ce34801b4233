// SPDX-License-Identifier: Apache-2.0
// `proxima migrate` for people: for each service what it asks for, what each move changes, and what
// is in the way.
#pragma once

#include <string>

#include "cli/table.h"
#include "core/plan/migration.h"
#include "report/migration_document.h"

namespace proxima::cli {

// "trafficDistribution: PreferSameZone", "balanced 20%", "auto".
std::string move_label(const plan::Move& move);

std::string migrate_text(const plan::Migrations& migrations, const report::MigrationFacts& facts,
                         const TableLayout& layout);

}  // namespace proxima::cli
