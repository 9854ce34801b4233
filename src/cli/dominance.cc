// SPDX-License-Identifier: Apache-2.0
#include "cli/dominance.h"

namespace proxima::cli {
namespace {

constexpr double kGainTolerance = 1e-6;

bool dominates(const plan::VariantTotal& a, const plan::VariantTotal& b, OverloadMeasure measure) {
  const double gains[] = {a.local - b.local, b.*measure - a.*measure, b.rejected - a.rejected};
  bool better = false;
  for (const double gain : gains) {
    if (gain < -kGainTolerance) return false;
    better = better || gain > kGainTolerance;
  }
  return better;
}

}  // namespace

std::vector<std::optional<std::size_t>> dominated_by(std::span<const plan::VariantTotal> totals,
                                                     OverloadMeasure measure) {
  std::vector<std::optional<std::size_t>> result(totals.size());
  for (std::size_t weak = 0; weak < totals.size(); ++weak) {
    for (std::size_t strong = 0; strong < totals.size(); ++strong) {
      if (!dominates(totals[strong], totals[weak], measure)) continue;
      if (result[weak] && totals[*result[weak]].local >= totals[strong].local) continue;
      result[weak] = strong;
    }
  }
  return result;
}

}  // namespace proxima::cli
