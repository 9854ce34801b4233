// SPDX-License-Identifier: Apache-2.0
// The parts of an absolute URL that a connection needs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima::net {

struct Url {
  std::string scheme;  // in lower case
  std::string user;    // decoded, as the password; a secret both
  std::string password;
  std::string host;  // in lower case; an IPv6 address without brackets
  std::uint16_t port = 0;
  std::string path;  // "" or "/…", without the slash at the end; no query

  // "host:port", with brackets round an IPv6 address.
  std::string authority() const;
  // The same without the port when it is the scheme's own: what a Host header says.
  std::string host_header() const;
};

// "https://user:password@[::1]:6443/path". http, https and socks5 have a port of their own when
// none is given; any other scheme is refused. A query or a fragment is refused.
Result<Url> parse_url(std::string_view text);

}  // namespace proxima::net
