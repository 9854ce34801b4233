// SPDX-License-Identifier: Apache-2.0
// Who may come in: the token in a cookie, a header or the first URL, and a Host that is meant.
// Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/http_message.h"

namespace proxima::web {

inline constexpr std::string_view kTokenCookie = "proxima_token";

// A page elsewhere whose name was pointed at this address (DNS rebinding) sends its own name here.
// Addresses, which nobody can point elsewhere, localhost and `names` are good; ports do not matter,
// because they change on the way through a tunnel.
bool is_own_host(std::string_view host, const std::vector<std::string>& names);

// Of "Authorization: Bearer …" or the cookie; none: there is neither.
std::optional<std::string> token_of(const net::HttpRequest& request);

// HttpOnly: no script reads it; Strict: no other site's page sends it along.
std::string token_cookie(std::string_view token, bool over_tls);

}  // namespace proxima::web
