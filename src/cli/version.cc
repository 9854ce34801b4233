// SPDX-License-Identifier: Apache-2.0
#include "cli/version.h"

namespace proxima::cli {

std::string_view version() { return PROXIMA_VERSION; }

}  // namespace proxima::cli
