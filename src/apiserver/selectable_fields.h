// SPDX-License-Identifier: Apache-2.0
// The fields by which objects of a kind can be selected, and where an object has them.
#pragma once

#include <boost/json/fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "apiserver/resource.h"

namespace proxima::apiserver {

struct SelectableField {
  std::string_view label;  // as a fieldSelector names it
  // Where it is, "status.podIPs.0.ip": the first place with something in it counts. Events are
  // looked at in the words of both their groups.
  std::span<const std::string_view> places;
  std::string_view otherwise;  // the value when no place has one
};

// nullptr: the kind cannot be selected by it.
const SelectableField* find_selectable_field(const ResourceType& type, std::string_view label);
// Upstream's words for that.
std::string unselectable_field(const ResourceType& type, std::string_view label);

// Text as it stands, booleans as "true" and "false".
std::string_view selectable_value(const SelectableField& field, const boost::json::object& object);

}  // namespace proxima::apiserver
