// SPDX-License-Identifier: Apache-2.0
#include "apiserver/json_depth.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace proxima::apiserver {

std::size_t json_depth(const boost::json::value& value) {
  std::size_t below = 0;
  if (const auto* object = value.if_object()) {
    for (const auto& member : *object) below = std::max(below, json_depth(member.value()));
    return below + 1;
  }
  if (const auto* array = value.if_array()) {
    for (const auto& item : *array) below = std::max(below, json_depth(item));
    return below + 1;
  }
  return 0;
}

}  // namespace proxima::apiserver
