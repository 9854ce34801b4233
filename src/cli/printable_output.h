// SPDX-License-Identifier: Apache-2.0
// The last filter in front of standard output. Names and messages of other programs are made
// printable() where they are put into a text; what was forgotten there stops here.
#pragma once

#include <string>
#include <string_view>

namespace proxima::cli {

// True when the text has nothing but visible ASCII, line ends and tabs, as most output does.
bool is_plain_output(std::string_view text);

// The text with malformed UTF-8, and control characters other than line ends, tabs and the escape
// sequences of paint(), replaced by U+FFFD. Invisible characters that steer no terminal stay: a
// document must keep the value of a field.
std::string printable_output(std::string_view text);

}  // namespace proxima::cli
