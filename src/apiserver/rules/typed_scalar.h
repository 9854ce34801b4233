// SPDX-License-Identifier: Apache-2.0
// One value of a field that is no struct: read, checked and put into upstream's canonical form.
#pragma once

#include <boost/json/fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/rules/raw_value.h"
#include "apiserver/schema.h"

namespace proxima::apiserver::rules {

struct TypedScalar {
  std::optional<boost::json::value> value;
  // Without a value: what was found and what was wanted, or a message of its own.
  std::string found;
  std::string wanted;
  std::string message;
};

// `raw` is not null.
TypedScalar read_scalar(const FieldInfo& field, const RawValue& raw);
// What Go has where nothing was given: "", 0, false, {}.
boost::json::value zero_value(const FieldInfo& field);
// "bool", "number", "string", "array", "object": what upstream's decoder calls it.
std::string_view type_word(const RawValue& raw);

}  // namespace proxima::apiserver::rules
