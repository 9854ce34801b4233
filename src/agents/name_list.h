// SPDX-License-Identifier: Apache-2.0
// Names as an error message lists them, so that whoever mistyped one sees the right one.
#pragma once

#include <string>
#include <vector>

namespace proxima::agents {

// "zone-a, zone-b"; "none" when there is none.
std::string name_list(const std::vector<std::string>& names);

}  // namespace proxima::agents
