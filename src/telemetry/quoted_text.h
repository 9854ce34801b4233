// SPDX-License-Identifier: Apache-2.0
// Texts from outside between quotation marks, so that none can end a line, colour a terminal or
// pass itself off as another field. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace proxima::telemetry {

enum class QuoteStyle : std::uint8_t {
  Text,  // as Go's %q: bytes that are no UTF-8 become \xNN
  Json,  // such bytes become U+FFFD
};

void append_quoted(std::string& out, std::string_view text, QuoteStyle style);

}  // namespace proxima::telemetry
