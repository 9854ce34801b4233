// SPDX-License-Identifier: Apache-2.0
// Text in double quotes as Go's %q prints it: upstream's messages and logs quote values that way.
// Nothing in it can end a line, colour a terminal or pass itself off as another field.
#pragma once

#include <string>
#include <string_view>

namespace proxima {

std::string go_quote(std::string_view text);

}  // namespace proxima
