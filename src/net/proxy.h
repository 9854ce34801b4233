// SPDX-License-Identifier: Apache-2.0
// Asks a proxy, to which the connection leads, for a way through to `origin`.
#pragma once

#include <string>

#include "base/result.h"
#include "net/client_connection.h"
#include "net/url.h"

namespace proxima::net {

// By HTTP's CONNECT.
Status open_tunnel(ClientConnection& connection, const Url& proxy, const Url& origin,
                   Deadline deadline);
// By SOCKS version 5 (RFC 1928, RFC 1929). The proxy looks names up.
Status open_socks(ClientConnection& connection, const Url& proxy, const Url& origin,
                  Deadline deadline);

// The value of Proxy-Authorization, a secret; "" when the URL names no user.
std::string proxy_credentials(const Url& proxy);

}  // namespace proxima::net
