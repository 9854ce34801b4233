// SPDX-License-Identifier: Apache-2.0
// Decisions as the JSON of /debug/plan. Pure.
#pragma once

#include <string>

#include "controller/decision_book.h"

namespace proxima::controller {

// {"services": [{"service": "shop/web", "accepted": true, "families": […], …}, …]}
std::string render_decisions(const DecisionBook::Entries& entries);

}  // namespace proxima::controller
