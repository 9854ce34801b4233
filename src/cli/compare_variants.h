// SPDX-License-Identifier: Apache-2.0
// Which policies `proxima compare` puts side by side.
#pragma once

#include <string>
#include <vector>

#include "core/plan/compare.h"

namespace proxima::cli {

// Names as parse_variant_name gives them; "balanced" stands once for every bound. What is empty is
// replaced by a choice that shows the whole field. No variant is there twice.
std::vector<plan::Variant> choose_variants(const std::vector<std::string>& policies,
                                           const std::vector<double>& overloads);

// The same and, behind them, balanced at enough bounds to draw its frontier; and "as-configured",
// which a page compares everything with.
std::vector<plan::Variant> with_frontier(std::vector<plan::Variant> variants);

// The variant a page shows first: balanced at the bound nearest to 20%, or the first one.
std::size_t recommended_variant(const std::vector<plan::Variant>& variants);

}  // namespace proxima::cli
