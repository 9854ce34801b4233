// SPDX-License-Identifier: Apache-2.0
// The version of the program, as the build gives it.
#pragma once

#include <string_view>

namespace proxima::cli {

std::string_view version();

}  // namespace proxima::cli
