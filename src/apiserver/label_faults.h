// SPDX-License-Identifier: Apache-2.0
// What is wrong with a label's key or value, in upstream's words ("; " between several).
#pragma once

#include <string>
#include <string_view>

namespace proxima::apiserver {

// Empty: nothing is.
std::string label_key_fault(std::string_view key);
std::string label_value_fault(std::string_view value);

}  // namespace proxima::apiserver
