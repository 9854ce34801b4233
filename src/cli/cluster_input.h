// SPDX-License-Identifier: Apache-2.0
// Reads the cluster that a command works on, tells how far it is, and warns about what it could not
// use.
#pragma once

#include <optional>

#include "base/result.h"
#include "base/timestamp.h"
#include "cli/console.h"
#include "cli/options.h"
#include "core/model/snapshot.h"

namespace proxima::cli {

Result<model::SnapshotPtr> read_cluster(const InputOptions& options, Console& console);
// The time for its plan: now, or none for a dump, in which time stands still.
std::optional<WallTime> planning_time(const InputOptions& options);

}  // namespace proxima::cli
