// SPDX-License-Identifier: Apache-2.0
// What somebody may have meant who wrote a name that does not exist.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::cli {

// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidates near enough to `wanted`, nearest first, at most `limit`. A candidate that contains
// `wanted` counts as near.
std::vector<std::string> near_matches(std::string_view wanted,
                                      const std::vector<std::string>& candidates,
                                      std::size_t limit = 3);

// "", or "; did you mean a, b or c?"
std::string did_you_mean(const std::vector<std::string>& matches);

}  // namespace proxima::cli
