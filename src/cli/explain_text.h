// SPDX-License-Identifier: Apache-2.0
// `proxima explain` for people: short sections in the order of the rules.
#pragma once

#include <cstddef>
#include <string>

#include "cli/plan_table.h"
#include "cli/table.h"
#include "core/plan/explain.h"

namespace proxima::cli {

struct ExplainLayout {
  std::optional<std::size_t> width;  // none: not a terminal; prose is still broken at 80 columns
  Coloring coloring = Coloring::Off;
  Width endpoints = Width::Usual;  // Wide: every endpoint, however many
};

std::string explain_text(const plan::ClusterPlan& plan, const plan::Explanation& explanation,
                         plan::From from, const ExplainLayout& layout);

}  // namespace proxima::cli
