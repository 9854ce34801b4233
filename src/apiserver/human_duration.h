// SPDX-License-Identifier: Apache-2.0
// Ages as kubectl shows them: "5m30s", "47h", "8d".
#pragma once

#include <chrono>
#include <string>

namespace proxima::apiserver {

// "<invalid>" for more than a second in the future.
std::string human_duration(std::chrono::nanoseconds duration);

}  // namespace proxima::apiserver
