// SPDX-License-Identifier: Apache-2.0
// What Kubernetes accepts as a label key and as a label value.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace proxima::model {

// What is wrong, as a sentence; nullopt: nothing. A key is "name" or "dns.prefix/name".
std::optional<std::string> wrong_label_key(std::string_view key);
// At most 63 letters, digits, '-', '_', '.', beginning and ending with a letter or digit; or empty.
std::optional<std::string> wrong_label_value(std::string_view value);

}  // namespace proxima::model
