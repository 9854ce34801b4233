// SPDX-License-Identifier: Apache-2.0
// An HttpServer on a thread of its own, answered by a function.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "base/check.h"
#include "net/http_server.h"

namespace proxima::support {

inline net::Reply answer(std::string body, int status = 200) {
  net::Reply reply;
  reply.response.status = status;
  reply.response.body = std::move(body);
  return reply;
}

// Says what was asked: "PUT /x body".
inline net::Reply echo(const net::HttpRequest& request) {
  return answer(request.method + " " + request.target + " " + request.body);
}

// All clients of a test come from one address.
inline net::HttpServerOptions test_server_options() {
  net::HttpServerOptions options;
  options.policy.slots_per_address = options.policy.slots;
  return options;
}

class HttpTestServer : private net::HttpHandler {
 public:
  using Answer = std::function<net::Reply(const net::HttpRequest&)>;
  using Admit = std::function<net::Admission(const net::HttpRequest&)>;

  // Everybody counts as authenticated unless `admit` says otherwise.
  explicit HttpTestServer(Answer answer, net::HttpServerOptions options = test_server_options(),
                          Admit admit = admit_everybody)
      : answer_(std::move(answer)),
        admit_(std::move(admit)),
        scheme_(options.certificate_pem.empty() ? "http" : "https") {
    auto server = net::HttpServer::create(std::move(options), *this);
    PROXIMA_CHECK(server.has_value());
    server_ = std::move(server).value();
    thread_ = std::thread([this] { server_->run(); });
  }
  ~HttpTestServer() override { stop(std::chrono::milliseconds(0)); }
  HttpTestServer(const HttpTestServer&) = delete;
  HttpTestServer& operator=(const HttpTestServer&) = delete;

  static net::Admission admit_everybody(const net::HttpRequest& /*head*/) {
    return {.verdict = net::Admission::Verdict::Authenticated};
  }

  net::HttpServer& server() { return *server_; }
  std::uint16_t port() const { return server_->port(); }
  std::string origin() const { return scheme_ + "://127.0.0.1:" + std::to_string(port()); }
  // Waits until run() has returned.
  void stop(std::chrono::milliseconds grace) {
    if (!thread_.joinable()) return;
    server_->stop(grace);
    thread_.join();
  }

 private:
  net::Admission admit(const net::HttpRequest& head) override { return admit_(head); }
  net::Reply handle(const net::HttpRequest& request) override { return answer_(request); }

  Answer answer_;
  Admit admit_;
  std::string scheme_;
  std::unique_ptr<net::HttpServer> server_;
  std::thread thread_;
};

}  // namespace proxima::support
