// SPDX-License-Identifier: Apache-2.0
// Where in a YAML text its values stand, so that who reads the values can name the line.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace proxima::wire {

// "timeline[1].zone" → the line of the key, or of the entry of a list, counted from 1. Of the first
// document; what aliases and merge keys bring has no lines of its own. Ends at the first mistake.
using YamlLines = std::map<std::string, std::size_t, std::less<>>;
YamlLines yaml_lines(std::string_view text);

// The line of `path`, or else of the nearest thing around it; 1 when there is nothing.
std::size_t line_of(const YamlLines& lines, std::string_view path);

}  // namespace proxima::wire
