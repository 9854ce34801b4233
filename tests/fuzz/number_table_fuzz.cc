// SPDX-License-Identifier: Apache-2.0
// Whatever is in a file of traffic, prices or demand: rows with names and numbers within the limit,
// or an error.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "manifest/number_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto& limit = proxima::model::limit_of(proxima::model::Bounded::Price);
  if (const auto rows = proxima::manifest::parse_number_table(text, limit)) {
    for (const auto& row : *rows) PROXIMA_CHECK(!row.path.empty() && limit.admits(row.number));
  }
  if (const auto rows = proxima::manifest::parse_number_list(text, limit))
    PROXIMA_CHECK(!rows->empty());
  return 0;
}
