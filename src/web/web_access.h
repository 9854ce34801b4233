// SPDX-License-Identifier: Apache-2.0
// Who may come in: the token in a cookie, a header or the first URL, and a Host that is meant.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/http_message.h"

namespace proxima::web {

// Browsers send the cookies of a host to all its ports: each page has a name of its own, so that
// two pages do not take each other's place. "proxima_token_10290".
std::string token_cookie_name(std::uint16_t port);

// A page elsewhere whose name was pointed at this address (DNS rebinding) sends its own name here.
// Addresses, which nobody can point elsewhere, localhost and `names` are good; ports do not matter,
// because they change on the way through a tunnel.
bool is_own_host(std::string_view host, const std::vector<std::string>& names);

// Of "Authorization: Bearer …" or the cookie of the page at `port`; none: there is neither.
std::optional<std::string> token_of(const net::HttpRequest& request, std::uint16_t port);

struct TokenCookie {
  std::string_view token;
  std::uint16_t port = 0;
  bool over_tls = false;
};
// HttpOnly: no script reads it; Strict: no other site's page sends it along.
std::string token_cookie(const TokenCookie& cookie);

}  // namespace proxima::web
