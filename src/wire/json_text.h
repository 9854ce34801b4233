// SPDX-License-Identifier: Apache-2.0
// Texts as JSON writes them.
#pragma once

#include <string>
#include <string_view>

namespace proxima::wire {

// Between quotation marks, with what JSON does not allow in them escaped. The text is UTF-8.
void append_quoted(std::string& out, std::string_view text);

}  // namespace proxima::wire
