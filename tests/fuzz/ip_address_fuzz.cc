// SPDX-License-Identifier: Apache-2.0
// An address is refused, or its canonical text is the address again.
#include "base/ip_address.h"

#include <cstdint>
#include <string_view>

#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto address = proxima::IpAddress::parse(text);
  if (!address) return 0;
  const auto again = proxima::IpAddress::parse(address->text());
  PROXIMA_CHECK(again.has_value());
  PROXIMA_CHECK(*again == *address);
  PROXIMA_CHECK(again->text() == address->text());
  return 0;
}
