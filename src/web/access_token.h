// SPDX-License-Identifier: Apache-2.0
// The secret that lets a browser in.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima::web {

inline constexpr std::size_t kMinTokenLength = 16;

// 128 bits of the system's random source, in hexadecimal digits.
Result<std::string> new_token();
// Nothing that can be put into a URL and a cookie as it is passes unless it is long enough.
Status check_token(std::string_view token);
// Takes the same time wherever they differ.
bool same_token(std::string_view given, std::string_view expected);

}  // namespace proxima::web
