// SPDX-License-Identifier: Apache-2.0
// What TLS connections of one server or one client share: certificates, keys and rules. TLS 1.3,
// and 1.2 with forward secrecy and authenticated encryption only. Immutable once made; safe for
// concurrent use.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/http_client.h"

struct ssl_ctx_st;
struct ssl_st;

namespace proxima::net {

class TlsContext {
 public:
  static Result<TlsContext> for_server(const std::string& certificate_pem,
                                       const std::string& key_pem);
  static Result<TlsContext> for_client(const TlsClientOptions& options);

  // One connection's state, for the caller to own (SSL_free).
  ssl_st* new_server_session() const;
  // The peer's certificate must be good for `host`, a DNS name or an IP address, unless
  // verification is switched off.
  ssl_st* new_client_session(const std::string& host) const;

 private:
  explicit TlsContext(std::shared_ptr<ssl_ctx_st> context) : context_(std::move(context)) {}
  std::shared_ptr<ssl_ctx_st> context_;
};

// Why the handshake of `session` failed: `error`, or what is wrong with the peer's certificate,
// which no second try will change (Denied).
Error handshake_problem(ssl_st* session, const std::string& error);

}  // namespace proxima::net
