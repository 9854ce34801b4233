// SPDX-License-Identifier: Apache-2.0
// The verdict of a check whose facts could not be read.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "checks/check_result.h"

namespace proxima::checks {

// What is not served, or may not be read by these credentials, is skipped: nothing is known to be
// wrong. Any other error is a failure of its own.
Verdict unread(std::string_view what, const Error& error);

}  // namespace proxima::checks
