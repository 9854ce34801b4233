// SPDX-License-Identifier: Apache-2.0
// What the system said when it refused.
#pragma once

#include <string_view>

#include "base/result.h"

namespace proxima::lab {

// The error in errno, or `number`, with `what` before it: Denied where more rights would help.
Error system_error(std::string_view what);
Error system_error(std::string_view what, int number);

}  // namespace proxima::lab
