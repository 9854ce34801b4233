// SPDX-License-Identifier: Apache-2.0
#include "support/source_folder.h"

namespace proxima::test {

std::string source_folder() { return PROXIMA_SOURCE_DIR; }

}  // namespace proxima::test
