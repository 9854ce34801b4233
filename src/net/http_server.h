// SPDX-License-Identifier: Apache-2.0
// An HTTP/1.1 server, plain or TLS: one thread, one event loop. Handlers run on the loop and must
// not block; a body that comes in pieces is pulled when the connection can take more.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "net/http_message.h"

namespace proxima::net {

struct HttpServerLimits {
  std::size_t max_connections = 1024;
  std::size_t max_header_bytes = 64U << 10U;
  std::size_t max_body_bytes = 3U << 20U;
  std::size_t chunk_bytes = 64U << 10U;  // a body in pieces is sent in chunks of about this size
  // A whole body at least this long is packed by gzip for clients that accept it; 0: never.
  std::size_t gzip_bytes_min = 128U << 10U;
  std::chrono::milliseconds header_timeout{10'000};  // TLS and a request's header
  std::chrono::milliseconds body_timeout{30'000};
  std::chrono::milliseconds idle_timeout{120'000};  // between two requests
  std::chrono::milliseconds write_timeout{30'000};  // a reader that takes nothing is cut
};

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;       // 0: any free one
  bool v6_only = false;         // "::" does not take the port from 0.0.0.0
  std::string certificate_pem;  // with its chain; empty: plain HTTP
  std::string key_pem;
  HttpServerLimits limits;
};

// What a body in pieces has to say when it is asked.
enum class Pull {
  More,  // something was appended, and more is there already
  Wait,  // nothing more now: ask again after a wake(), or when next_deadline() comes
  End,   // the body is complete
  Cut,   // give up: the connection is closed without a proper end
};

class BodySource {
 public:
  virtual ~BodySource() = default;
  // Appends what is ready, up to about `wanted` bytes, to `out`.
  virtual Pull pull(std::string& out, std::size_t wanted) = 0;
  // When to ask again even without a wake(); max(): never.
  virtual std::chrono::steady_clock::time_point next_deadline() const {
    return std::chrono::steady_clock::time_point::max();
  }
};

struct Reply {
  HttpResponse response;               // body: the whole body, unless `stream` is there
  std::unique_ptr<BodySource> stream;  // sent with chunked encoding
  // Not sent before this says true: it is asked at once and after every wake(). Empty: send now.
  std::function<bool()> ready;
  // Nor before this moment.
  std::chrono::steady_clock::time_point not_before{};
  // Called once, after `ready` has said true and before anything is sent: the last chance to answer
  // something else.
  std::function<void(Reply&)> settle;
};

class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  // On the loop's thread.
  virtual Reply handle(const HttpRequest& request) = 0;
};

class HttpServer {
 public:
  // Listens; nothing is answered before run(). An error names the address.
  static Result<std::unique_ptr<HttpServer>> create(HttpServerOptions options,
                                                    HttpHandler& handler);
  virtual ~HttpServer() = default;

  virtual std::uint16_t port() const = 0;
  // Serves on the calling thread until stop().
  virtual void run() = 0;
  // From any thread, also from a signal's thread: accepts no more, lets requests under way finish
  // for `grace`, ends bodies in pieces, and makes run() return.
  virtual void stop(std::chrono::milliseconds grace) = 0;
  // From any thread: bodies that wait and replies that are not ready are asked again.
  virtual void wake() = 0;
  // From any thread: runs `task` on the loop.
  virtual void post(std::function<void()> task) = 0;
  // On the loop: runs `task` again and again, `every` apart, until the server stops.
  virtual void repeat(std::chrono::milliseconds every, std::function<void()> task) = 0;
};

}  // namespace proxima::net
