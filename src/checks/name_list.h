// SPDX-License-Identifier: Apache-2.0
// Several names in one sentence.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace proxima::checks {

inline constexpr std::size_t kNamesShown = 5;

// "a, b and c"; the rest of a long list is counted: "a, b, c, d, e and 7 more".
std::string name_list(std::span<const std::string> names);
// "1 node", "3 nodes".
std::string counted(std::size_t count, const std::string& noun);

}  // namespace proxima::checks
