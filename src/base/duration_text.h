// SPDX-License-Identifier: Apache-2.0
// Durations as Kubernetes writes them in its configuration: "1h15m0.5s".
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima {

// Decimal numbers, each with a unit of h, m, s, ms, us or ns, with one sign before all of them; "0"
// needs no unit.
Result<std::chrono::nanoseconds> parse_duration(std::string_view text);
// As Go prints it: "1h0m0s", "15m0s", "1.5s", "250ms", "0s".
std::string duration_text(std::chrono::nanoseconds duration);

}  // namespace proxima
