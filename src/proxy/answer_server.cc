// SPDX-License-Identifier: Apache-2.0
#include "proxy/answer_server.h"

#include <chrono>
#include <thread>

#include "net/http_server.h"

namespace proxima::proxy {
namespace {

constexpr std::chrono::milliseconds kGrace{200};  // for what is being answered at the end

class RunningServer final : public AnswerServer {
 public:
  explicit RunningServer(Answer answer) : handler_(std::move(answer)) {}
  ~RunningServer() override {
    if (!thread_.joinable()) return;
    server_->stop(kGrace);
    thread_.join();
  }

  Status start(const AnswerAddress& at) {
    net::HttpServerOptions options;
    options.address = at.address;
    options.port = at.port;
    options.v6_only = at.v6_only;
    options.policy = kHealthListener;
    auto server = net::HttpServer::create(std::move(options), handler_);
    if (!server) return std::move(server).error();
    server_ = std::move(*server);
    thread_ = std::thread([this] { server_->run(); });
    return Unit{};
  }
  std::uint16_t port() const override { return server_->port(); }

 private:
  AnswerHandler handler_;
  std::unique_ptr<net::HttpServer> server_;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<AnswerServer>> AnswerServer::start(const AnswerAddress& at, Answer answer) {
  auto server = std::make_unique<RunningServer>(std::move(answer));
  Status started = server->start(at);
  if (!started) return std::move(started).error();
  return std::unique_ptr<AnswerServer>(std::move(server));
}

}  // namespace proxima::proxy
