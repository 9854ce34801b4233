// SPDX-License-Identifier: Apache-2.0
#include "kube/json_member.h"

#include <boost/json/value.hpp>

namespace proxima::kube {

std::string text_member(const boost::json::object& object, std::string_view key) {
  const boost::json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

}  // namespace proxima::kube
