// SPDX-License-Identifier: Apache-2.0
// Addresses as tests write them; a mistake in one ends the test program.
#pragma once

#include <string_view>

#include "base/ip_address.h"

namespace proxima::test {

inline IpAddress ip(std::string_view text) { return IpAddress::parse(text).value(); }

}  // namespace proxima::test
