// SPDX-License-Identifier: Apache-2.0
// Removing members of JSON objects in a time that does not depend on how many there are.
#pragma once

#include <boost/json/object.hpp>
#include <string_view>

namespace proxima::apiserver {

// Up to this many members keep their order when one goes. In a larger object the last one takes its
// place: the order of a map means nothing, and moving 100,000 members for each that goes takes
// seconds.
inline constexpr std::size_t kOrderedMembers = 64;

// The member that is next to be looked at.
boost::json::object::iterator erase_at(boost::json::object& from, boost::json::object::iterator at);
// Nothing happens when there is no such member.
void erase_member(boost::json::object& from, std::string_view key);

}  // namespace proxima::apiserver
