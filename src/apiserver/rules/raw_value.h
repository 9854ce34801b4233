// SPDX-License-Identifier: Apache-2.0
// JSON before it has a type: members in the order of the text, those that come twice included, and
// numbers as they were written.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace proxima::apiserver::rules {

struct RawMember;

struct RawValue {
  enum class Type : std::uint8_t { Null, Bool, Number, String, Array, Object };

  Type type = Type::Null;
  bool boolean = false;
  std::string text;  // of a string, or of a number
  std::vector<RawValue> items;
  std::vector<RawMember> members;

  bool is(Type wanted) const { return type == wanted; }
};

struct RawMember {
  std::string name;
  RawValue value;
};

// What a body may nest at most. Kubernetes objects need about 20.
inline constexpr std::size_t kMaxJsonDepth = 200;

// The error's message is that of Go's JSON scanner.
Result<RawValue> parse_raw(std::string_view text);
RawValue to_raw(const boost::json::value& value);
// Of members that come twice the last counts.
boost::json::value from_raw(const RawValue& raw);

}  // namespace proxima::apiserver::rules
