// SPDX-License-Identifier: Apache-2.0
// Texts as JSON writes them; YAML reads them too. Nothing in them can end a line or speak to a
// terminal: control characters are escaped, and malformed UTF-8 becomes U+FFFD. Pure.
#pragma once

#include <string>
#include <string_view>

namespace proxima {

// Appends `text` between quotation marks.
void append_json_text(std::string& out, std::string_view text);
std::string json_text(std::string_view text);

}  // namespace proxima
