// SPDX-License-Identifier: Apache-2.0
// Untyped JSON → an object whose fields all have their type, as upstream's decoder reads it into a
// struct: unknown and repeated fields are findings, a value of the wrong type ends it.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <vector>

#include "apiserver/rules/raw_value.h"
#include "apiserver/schema.h"
#include "base/result.h"

namespace proxima::apiserver::rules {

struct TypedObject {
  boost::json::object object;
  std::vector<std::string> findings;
};

// The error's message is the decoder's own: "json: cannot unmarshal string into Go struct field …".
Result<TypedObject> read_typed(const TypeInfo& type, const RawValue& raw);

}  // namespace proxima::apiserver::rules
