// SPDX-License-Identifier: Apache-2.0
#include "cli/compare_variants.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/argument_values.h"
#include "cli/figures.h"

namespace proxima::cli {
namespace {

using plan::Variant;
using policy::PolicyKind;

constexpr double kUsualBounds[] = {0, 0.2, 0.5};
constexpr double kFrontierBounds[] = {
    0,   0.05, 0.1,  0.15, 0.2, 0.25, 0.3,
    0.4, 0.5,  0.75, 1,    1.5, 2,    std::numeric_limits<double>::infinity()};
constexpr double kRecommendedBound = 0.2;

Variant as_configured() { return {std::string(kAsConfigured), std::nullopt, std::nullopt}; }

Variant balanced_at(double bound) {
  return {"balanced " + bound_text(bound), PolicyKind::Balanced, bound};
}

// topology-keys is left out, because it needs keys that only the user knows; and require-zone,
// whose rejected traffic would look like traffic that costs nothing.
std::vector<std::string> usual_policies() {
  std::vector<std::string> names = {std::string(kAsConfigured)};
  for (const PolicyKind kind : policy::kAllPolicies) {
    if (kind == PolicyKind::TopologyKeys || kind == PolicyKind::RequireZone) continue;
    names.emplace_back(policy::to_text(kind));
  }
  return names;
}

void add_once(std::vector<Variant>& variants, Variant variant) {
  const bool known = std::any_of(variants.begin(), variants.end(),
                                 [&](const Variant& v) { return v.name == variant.name; });
  if (!known) variants.push_back(std::move(variant));
}

}  // namespace

std::vector<Variant> choose_variants(const std::vector<std::string>& policies,
                                     const std::vector<double>& overloads) {
  const auto bounds = overloads.empty()
                          ? std::vector<double>(std::begin(kUsualBounds), std::end(kUsualBounds))
                          : overloads;
  std::vector<Variant> variants;
  for (const std::string& name : policies.empty() ? usual_policies() : policies) {
    const auto kind = policy::parse_policy(name);
    if (!kind) {
      add_once(variants, as_configured());
    } else if (*kind != PolicyKind::Balanced) {
      add_once(variants, {name, *kind, std::nullopt});
    } else {
      for (const double bound : bounds) add_once(variants, balanced_at(bound));
    }
  }
  return variants;
}

std::vector<Variant> with_frontier(std::vector<Variant> variants) {
  add_once(variants, as_configured());
  for (const double bound : kFrontierBounds) add_once(variants, balanced_at(bound));
  return variants;
}

std::size_t recommended_variant(const std::vector<Variant>& variants) {
  std::size_t best = 0;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if (variants[i].policy != PolicyKind::Balanced || !variants[i].overload) continue;
    const double distance = std::abs(*variants[i].overload - kRecommendedBound);
    if (distance >= nearest) continue;
    nearest = distance;
    best = i;
  }
  return best;
}

}  // namespace proxima::cli
