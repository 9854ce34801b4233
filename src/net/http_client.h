// SPDX-License-Identifier: Apache-2.0
// A blocking HTTP/1.1 client for one origin, plain or TLS, with idle connections kept for reuse.
// Every wait has a limit, and a Cancellation ends it at once. Safe for concurrent use.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/cancellation.h"
#include "net/http_message.h"

namespace proxima::net {

struct TlsClientOptions {
  std::string ca_pem;           // empty: the system's certificate authorities
  std::string certificate_pem;  // with key_pem: shown to the server
  std::string key_pem;
  std::string server_name;         // empty: the origin's host name; for verification and SNI
  bool skip_verification = false;  // the caller has warned
};

struct HttpClientOptions {
  std::string origin;  // "https://10.0.0.1:6443"; a path in it is put before every target
  TlsClientOptions tls;
  std::string proxy;  // "http://proxy:3128", "https://…" or "socks5://…"; empty: none
  std::size_t max_idle_connections = 16;
};

struct Deadlines {
  std::chrono::milliseconds connect{30'000};  // name, TCP, proxy and TLS together
  std::chrono::milliseconds answer{60'000};   // from the request sent to the response's header
  std::chrono::milliseconds idle{60'000};     // between two pieces of a body
  // For all of it, to the last byte of the body, however steadily they come. Without it a body may
  // take for ever, as a watch's does.
  std::optional<std::chrono::milliseconds> total = std::nullopt;
};

// A response whose body is read piece by piece, by one thread. Destroying it before the end of the
// body closes the connection; after the end the connection goes back to the client, which must
// outlive it.
class HttpStream {
 public:
  virtual ~HttpStream() = default;
  virtual int status() const = 0;
  virtual const HttpHeaders& headers() const = 0;
  // The next piece, decompressed when the server compressed it; empty at the end of the body. Valid
  // until the next call. An error (Retry): cut off, timed out, cancelled or not HTTP.
  virtual Result<std::string_view> read() = 0;
};

class HttpClient {
 public:
  // An error: a URL or a certificate that cannot be used.
  static Result<std::unique_ptr<HttpClient>> create(HttpClientOptions options);
  virtual ~HttpClient() = default;

  // Sends the request and reads the response's header. A request on a kept connection that the
  // server has closed meanwhile, before any byte of the answer, is sent again on a new one, unless
  // it may change something and a part of it was sent: it might be done twice.
  virtual Result<std::unique_ptr<HttpStream>> open(const HttpRequest& request,
                                                   const Deadlines& deadlines,
                                                   const Cancellation& cancellation) = 0;
};

// The whole body, decompressed; an error when it is longer than `max_body`.
inline constexpr std::size_t kFetchedBytesMax = 8U << 20U;
Result<HttpResponse> fetch(HttpClient& client, const HttpRequest& request,
                           const Deadlines& deadlines, const Cancellation& cancellation,
                           std::size_t max_body = kFetchedBytesMax);

}  // namespace proxima::net
