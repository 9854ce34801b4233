// SPDX-License-Identifier: Apache-2.0
#include "cli/price_flags.h"

#include "cli/value_rows.h"

namespace proxima::cli {
namespace {

constexpr const char* kPrices = "Prices";

}  // namespace

FlagRows price_flags(PriceOptions& options) {
  return {
      value_row("--price-per-gb", "PRICE", kPrices, options.price_per_gb, parse_price,
                "Price of a GB between two zones, both directions together (default 0.02)"),
      value_row("--region-price-per-gb", "PRICE", kPrices, options.region_price_per_gb, parse_price,
                "Price of a GB between two regions (default: twice --price-per-gb)"),
  };
}

FlagRow price_file_flag(PriceOptions& options) {
  return text_row("--price-file", "FILE", kPrices, options.price_file,
                  "Prices of pairs of zones or regions, as YAML, JSON or CSV");
}

}  // namespace proxima::cli
