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
#include "net/certificates.h"
#include "net/http_message.h"
#include "net/listener_policy.h"

namespace proxima::net {

// A whole body at least this long is packed by gzip for clients that accept it. The loop does that
// for bodies of up to 256 KiB; handlers pack longer ones where they are made (net/packed_body.h).
inline constexpr std::size_t kGzipBytesMin = 128U << 10U;

// Where a server finds its certificate when the one that it began with is replaced.
struct CertificateRenewal {
  // Asked on the loop, again and again; empty: never. The same one again changes nothing.
  std::function<Result<CertificateAndKey>()> fetch;
  std::chrono::milliseconds every{60'000};
  // The one in use stays in use. Called on the loop.
  std::function<void(const Error&)> failed;
};

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;       // 0: any free one
  bool v6_only = false;         // "::" does not take the port from 0.0.0.0
  std::string certificate_pem;  // with its chain; empty: plain HTTP
  std::string key_pem;
  CertificateRenewal renewal;  // of a server with a certificate
  ListenerPolicy policy;
  std::size_t gzip_bytes_min = kGzipBytesMin;
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

enum class AfterReply { KeepOpen, Close };

struct Reply {
  HttpResponse response;  // body: the whole body, unless there is one of the following
  // The whole body, which other replies may share: it is sent as it is, and never copied.
  std::shared_ptr<const std::string> shared_body;
  std::unique_ptr<BodySource> stream;  // sent with chunked encoding
  // Not sent before this says true: it is asked at once and after every wake(). Empty: send now.
  std::function<bool()> ready;
  // Nor before this moment.
  std::chrono::steady_clock::time_point not_before{};
  // Called once, after `ready` has said true and before anything is sent: the last chance to answer
  // something else.
  std::function<void(Reply&)> settle;
  AfterReply after = AfterReply::KeepOpen;  // what becomes of the connection
};

// What a handler makes of a request of which only the header has come.
struct Admission {
  enum class Verdict {
    Unauthenticated,  // may be answered all the same, but has little room for a body
    Authenticated,
    Refused,  // `refusal` is the answer; the body is not read, and the connection is closed
    Pending,  // not decided yet: `ask_again` is called after every wake(), and no body is read
  };
  Verdict verdict = Verdict::Unauthenticated;
  Reply refusal = {};
  std::function<Admission()> ask_again = {};
  // Who is authenticated, as far as slots are concerned: when too many requests are under way, the
  // holder with the most of them loses one. Empty: the address of the client.
  std::string holder = {};
};

class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  // On the loop's thread, as all of them. `head` has no body yet.
  virtual Admission admit(const HttpRequest& /*head*/) { return {}; }
  // After admit(), unless it refused.
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
