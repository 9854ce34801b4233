// SPDX-License-Identifier: Apache-2.0
// What a strategic merge patch says about itself: "$patch", "$retainKeys" and their kin.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/status_error.h"

namespace proxima::apiserver {

inline constexpr std::string_view kPatchDirective = "$patch";
inline constexpr std::string_view kElementOrder = "$setElementOrder";
inline constexpr std::string_view kDeleteFromList = "$deleteFromPrimitiveList";

// The part of "$setElementOrder/ports" after the slash. Refused: there is none; `what` names the
// directive in upstream's words.
Outcome<std::string> key_behind(std::string_view key, std::string_view prefix,
                                std::string_view what);

// An object with "$patch".
bool is_directive(const boost::json::value& item);
// What a new value may not bring along: nulls, and parts that are directives.
void discard_nulls(boost::json::value& patch);
void remove_directives(boost::json::value& patch);

// Replaces `original` by what the patch's "$patch" asks for.
Outcome<Unit> follow_patch_directive(boost::json::object& original, boost::json::object& patch);
// Erases what "$retainKeys" does not name, and the directive.
Outcome<Unit> retain_keys(boost::json::object& original, boost::json::object& patch);

// The directives among the items of a list of objects.
struct ItemDirectives {
  boost::json::array plain;                         // items that are none
  std::vector<std::optional<std::string>> deleted;  // identities, in order
  bool replaces = false;
};
Outcome<ItemDirectives> read_item_directives(const boost::json::array& patch,
                                             std::string_view merge_key);

}  // namespace proxima::apiserver
