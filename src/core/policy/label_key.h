// SPDX-License-Identifier: Apache-2.0
// The syntax of label keys ("qualified names").
#pragma once

#include <string_view>

namespace proxima::policy {

// An optional DNS subdomain of at most 253 characters and a "/", then a name of at most 63 letters,
// digits, '-', '_' and '.', that begins and ends with a letter or digit.
bool is_label_key(std::string_view key);

}  // namespace proxima::policy
