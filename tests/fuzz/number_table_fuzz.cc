// SPDX-License-Identifier: Apache-2.0
// Whatever is in a file of traffic, prices or demand: rows with names and finite numbers, or an
// error.
#include <cmath>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "manifest/number_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto rows = proxima::manifest::parse_number_table(text)) {
    for (const auto& row : *rows)
      PROXIMA_CHECK(!row.path.empty() && std::isfinite(row.number) && row.number >= 0);
  }
  if (const auto rows = proxima::manifest::parse_number_list(text)) PROXIMA_CHECK(!rows->empty());
  return 0;
}
