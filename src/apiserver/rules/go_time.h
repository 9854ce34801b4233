// SPDX-License-Identifier: Apache-2.0
// Times in bodies, read and refused as Go's time.Parse does it, written as upstream writes them.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima::apiserver::rules {

enum class TimePrecision { Second, Micro };

// RFC 3339 → the same in UTC. With Micro exactly six digits of a second are wanted.
Result<std::string> canonical_time(std::string_view text, TimePrecision precision);

}  // namespace proxima::apiserver::rules
