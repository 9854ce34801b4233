// SPDX-License-Identifier: Apache-2.0
// Bytes to a TLS server as they are, and what it says to them.
#pragma once

#include <string>
#include <string_view>

#include "base/check.h"
#include "net/client_connection.h"
#include "net/tls_context.h"
#include "net/url.h"

namespace proxima::support {

// Everything up to the end of the connection, or of ten seconds.
inline std::string tls_exchange(const std::string& origin, const std::string& ca_pem,
                                std::string_view bytes) {
  const auto deadline = net::deadline_after(std::chrono::seconds(10));
  const net::Url peer = net::parse_url(origin).value();
  const auto tls = net::TlsContext::for_client({.ca_pem = ca_pem}).value();
  const auto connection = net::ClientConnection::create().value();
  PROXIMA_CHECK(connection->connect(peer, deadline).has_value());
  PROXIMA_CHECK(connection->start_tls(tls, peer.host, deadline).has_value());
  PROXIMA_CHECK(connection->write(bytes, deadline).has_value());
  while (true) {
    const auto count = connection->read(deadline);
    if (!count || *count == 0) return std::string(connection->input().view());
  }
}

}  // namespace proxima::support
