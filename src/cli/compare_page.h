// SPDX-License-Identifier: Apache-2.0
// A comparison of policies as one HTML file that needs nothing else: no network, font or script
// from elsewhere. Pure: equal inputs give equal bytes.
#pragma once

#include <cstddef>
#include <string>

#include "core/plan/compare.h"

namespace proxima::cli {

// What the comparison itself does not know. A text that is "" is left out.
struct ComparePageInfo {
  std::string title;    // "Traffic of cluster prod"
  std::string version;  // "proxima 0.1.0"
  std::string source;   // where the cluster was read from: "prod.json"

  std::string currency = "$";  // "$", "€" or a code of three letters
  // Money for one unit of cost of the comparison (Outcome::cost, VariantTotal::cost). 0: no price
  // is known, and the page speaks of gigabytes alone.
  double price_per_gb = 0;
  std::string period;  // what the traffic volume covers: "month"; "" when nobody said

  // What was assumed, for the foot of the page.
  std::string price;
  std::string traffic;
  std::string demand;

  std::size_t as_configured = 0;  // of Comparison::variants: what everything is compared with
  std::size_t recommended = 0;    // of Comparison::variants: shown first
};

std::string render_compare_page(const plan::Comparison& comparison, const ComparePageInfo& info);

}  // namespace proxima::cli
