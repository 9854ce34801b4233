// SPDX-License-Identifier: Apache-2.0
// JSON values as Go's %v prints them once decoded: "map[a:1 b:[x y]]". Upstream's messages about
// patches show values that way.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <string_view>

namespace proxima::apiserver {

std::string go_text(const boost::json::value& from);
// "map[string]interface {}", "[]interface {}", "string", "int64"…
std::string_view go_type_name(const boost::json::value& from);

}  // namespace proxima::apiserver
