// SPDX-License-Identifier: Apache-2.0
// The name of this machine.
#pragma once

#include <string>

namespace proxima::cli {

// `fallback` where the kernel does not say.
std::string host_name(const std::string& fallback);

}  // namespace proxima::cli
