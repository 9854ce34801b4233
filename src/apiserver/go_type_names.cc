// SPDX-License-Identifier: Apache-2.0
#include "apiserver/go_type_names.h"

#include <boost/json/value.hpp>

namespace proxima::apiserver {

std::string_view go_json_kind(const boost::json::value& value) {
  switch (value.kind()) {
    case boost::json::kind::object:
      return "object";
    case boost::json::kind::array:
      return "array";
    case boost::json::kind::string:
      return "string";
    case boost::json::kind::bool_:
      return "bool";
    case boost::json::kind::null:
      return "null";
    default:
      return "number";
  }
}

std::string go_cannot_unmarshal(const boost::json::value& value, std::string_view target) {
  return "json: cannot unmarshal " + std::string(go_json_kind(value)) + " into Go " +
         std::string(target);
}

}  // namespace proxima::apiserver
