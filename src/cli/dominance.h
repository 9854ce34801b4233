// SPDX-License-Identifier: Apache-2.0
// Which variants of a comparison nobody should choose, because another one is at least as good in
// everything and better in something.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/plan/compare.h"

namespace proxima::cli {

// One number that stands for the overload of a whole cluster.
using OverloadMeasure = double plan::VariantTotal::*;

// By variant: one that keeps no less local, overloads no more, rejects no more, and is better in at
// least one of the three; nullopt for a variant that no other dominates. Of several, the one that
// keeps most local. Differences below a millionth do not count: they are rounding.
std::vector<std::optional<std::size_t>> dominated_by(std::span<const plan::VariantTotal> totals,
                                                     OverloadMeasure measure);

}  // namespace proxima::cli
