// SPDX-License-Identifier: Apache-2.0
// Points in time as Kubernetes writes them: RFC 3339, always UTC.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima {

using WallTime = std::chrono::system_clock::time_point;

// "2026-03-01T12:00:00Z", as metav1.Time: what is finer than a second is cut off.
std::string time_text(WallTime time);
// "2026-03-01T12:00:00.000000Z", as metav1.MicroTime.
std::string micro_time_text(WallTime time);
// Any RFC 3339 time, with a fraction and an offset or without.
Result<WallTime> parse_time(std::string_view text);

}  // namespace proxima
