// SPDX-License-Identifier: Apache-2.0
// Text in double quotes as Go's %q prints it: upstream's messages quote values that way.
#pragma once

#include <string>
#include <string_view>

namespace proxima::apiserver {

std::string go_quote(std::string_view text);

}  // namespace proxima::apiserver
