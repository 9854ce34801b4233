// SPDX-License-Identifier: Apache-2.0
// Finds where JSON values end without parsing them, many bytes at a time: a dump of half a gigabyte
// is cut into its objects first, and each is then parsed on its own. Knows strings and brackets
// only; what is inside may be broken, and the parser will say so.
//
// Every text given here must be readable for kScanPadding bytes past its end.
#pragma once

#include <cstddef>
#include <string_view>

namespace proxima::wire {

inline constexpr std::size_t kScanPadding = 64;

// text[at] opens an object or array: one past the bracket that closes it, or npos. Which kind of
// bracket closes is not looked at.
std::size_t end_of_container(std::string_view text, std::size_t at);
// The same, a byte at a time: what end_of_container must agree with.
std::size_t end_of_container_bytewise(std::string_view text, std::size_t at);

// text[at] is a quote: one past the closing quote, or npos.
std::size_t end_of_string(std::string_view text, std::size_t at);

// The first position from `at` on that is no white space; the size of the text when there is none.
std::size_t skip_space(std::string_view text, std::size_t at);

// The end of any value that begins at text[at], or npos: a container, a string, or a word.
std::size_t end_of_value(std::string_view text, std::size_t at);

}  // namespace proxima::wire
