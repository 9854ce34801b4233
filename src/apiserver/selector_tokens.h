// SPDX-License-Identifier: Apache-2.0
// A label selector's text as tokens, split as upstream splits it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace proxima::apiserver {

struct SelectorToken {
  enum class Type : std::uint8_t {
    End,
    Close,
    Comma,
    Not,
    Equals,  // "=" and "=="
    GreaterThan,
    Identifier,
    In,
    LessThan,
    NotEquals,
    NotIn,
    Open,
  };
  Type token = Type::End;
  std::string_view literal;  // a part of the text; empty for End
};

// The last one is the End, and only that.
std::vector<SelectorToken> selector_tokens(std::string_view text);

}  // namespace proxima::apiserver
