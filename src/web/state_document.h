// SPDX-License-Identifier: Apache-2.0
// The live state as JSON on one line, as the page reads it; and parts of it that other answers have
// too. docs/live-page.md describes the fields.
#pragma once

#include <string>

#include "report/document.h"
#include "web/live_state.h"

namespace proxima::web {

std::string state_document(const LiveState& state);
void write_plan(report::DocumentWriter& writer, const PlanPicture& plan);

}  // namespace proxima::web
