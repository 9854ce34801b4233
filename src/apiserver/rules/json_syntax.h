// SPDX-License-Identifier: Apache-2.0
// What Go's JSON scanner says about a text that is not JSON.
#pragma once

#include <string>
#include <string_view>

namespace proxima::apiserver::rules {

// "invalid character 'x' after top-level value", "unexpected end of JSON input". For a text that is
// JSON after all: "exceeded max depth", the only other reason to refuse one.
std::string json_syntax_message(std::string_view text);

}  // namespace proxima::apiserver::rules
