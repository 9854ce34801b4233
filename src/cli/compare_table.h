// SPDX-License-Identifier: Apache-2.0
// `proxima compare` for people: the totals of every policy, then the services that differ most.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/table.h"
#include "core/plan/compare.h"

namespace proxima::cli {

struct CompareFacts {
  std::size_t variants_shown = 0;  // the first ones; the rest is for the page
  double money_per_unit = 0;       // of the comparison's cost
  std::string price;               // what was assumed, as sentences
  std::string traffic;
  std::string demand;
};

struct CompareLayout {
  TableLayout table;
  std::size_t services_shown = 0;  // at most; the ones that differ most
};

std::string compare_text(const plan::Comparison& comparison, const CompareFacts& facts,
                         const CompareLayout& layout);

// Indices of Comparison::services, largest difference between policies first: in gigabytes that
// cross zones, then in overload, then by name.
std::vector<std::size_t> services_by_difference(const plan::Comparison& comparison,
                                                std::size_t variants_shown);

}  // namespace proxima::cli
