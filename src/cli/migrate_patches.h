// SPDX-License-Identifier: Apache-2.0
// `proxima migrate -o patch`: the suggested patches as YAML documents, each with a comment that
// applies it.
#pragma once

#include <optional>
#include <string>

#include "core/plan/migration.h"

namespace proxima::cli {

// One document for each Service whose move is suggested; `to` auto adds one for each workload that
// has to be spread. "" when there is nothing to patch.
//
// A document is what `kubectl patch --patch-file` takes; the comment before it is the same as one
// command, so that all of them can be run: grep '^# kubectl', without the "# ".
std::string migrate_patches(const plan::Migrations& migrations, std::optional<plan::MoveTarget> to);

}  // namespace proxima::cli
