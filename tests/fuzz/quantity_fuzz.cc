// SPDX-License-Identifier: Apache-2.0
// A quantity is refused or is at least 0, and its thousandths mean the same amount rounded up.
#include "base/quantity.h"

#include <cstdint>
#include <string_view>

#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto quantity = proxima::Quantity::parse(text);
  if (!quantity) return 0;
  const std::int64_t milli = quantity->milli();
  PROXIMA_CHECK(milli >= 0);
  PROXIMA_CHECK((milli == 0) == quantity->is_zero());
  if (milli == INT64_MAX) return 0;  // cut to what fits
  PROXIMA_CHECK(proxima::Quantity::from_milli(milli) >= *quantity);
  if (milli > 0) PROXIMA_CHECK(proxima::Quantity::from_milli(milli - 1) < *quantity);
  return 0;
}
