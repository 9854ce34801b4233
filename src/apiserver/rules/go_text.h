// SPDX-License-Identifier: Apache-2.0
// Values in the words of Go's printers, because clients compare upstream's messages byte by byte.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <string_view>

#include "base/go_quote.h"

namespace proxima::apiserver::rules {

// As json.Marshal: compact, with <, > and & escaped. Members keep their order.
std::string go_json(const boost::json::value& value);
// Valid UTF-8: what is not becomes U+FFFD, as Go's decoder makes it.
std::string go_utf8(std::string_view text);

}  // namespace proxima::apiserver::rules
