// SPDX-License-Identifier: Apache-2.0
// Reading objects whose fields may be missing or of a wrong type: then they read as empty.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <string_view>

namespace proxima::apiserver {

// "status.podIPs.0.ip"; nullptr: not there.
const boost::json::value* find_at(const boost::json::object& from, std::string_view place);

std::string_view text_at(const boost::json::object& from, std::string_view place);
std::int64_t number_at(const boost::json::object& from, std::string_view place);
bool flag_at(const boost::json::object& from, std::string_view place);
// Empty ones live for ever.
const boost::json::array& items_at(const boost::json::object& from, std::string_view place);
const boost::json::object& object_at(const boost::json::object& from, std::string_view place);
const boost::json::object& as_object(const boost::json::value& from);

}  // namespace proxima::apiserver
