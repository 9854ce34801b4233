// SPDX-License-Identifier: Apache-2.0
// What a YAML 1.1 scalar without quotes means, by the rules that kubectl follows: yes, no, on and
// off are booleans, 010 is eight, ~ is null, dates stay text.
#pragma once

#include <string>
#include <string_view>

namespace proxima::wire {

enum class YamlTag { Null, Boolean, Number, Text };

struct YamlScalar {
  YamlTag tag = YamlTag::Text;
  std::string json;  // "null", "true", "8": ready to be written; for Text the text itself, unquoted
};

YamlScalar resolve_plain_scalar(std::string_view text);

}  // namespace proxima::wire
