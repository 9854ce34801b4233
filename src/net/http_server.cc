// SPDX-License-Identifier: Apache-2.0
#include "net/http_server.h"

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "net/listener.h"
#include "net/tls_context.h"

namespace proxima::net {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

class Server final : public HttpServer {
 public:
  Server(HttpServerOptions options, std::optional<TlsContext> tls, HttpHandler& handler)
      : options_(std::move(options)),
        tls_(std::move(tls)),
        connections_(options_.policy),
        listener_(context_, connections_, handler,
                  {.tls = tls_ ? &*tls_ : nullptr, .gzip_bytes_min = options_.gzip_bytes_min}) {
    if (tls_ && options_.renewal.fetch)
      repeat(options_.renewal.every, [this] { renew_certificate(); });
  }

  ~Server() override { shut_down(); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Status listen();

  std::uint16_t port() const override { return port_; }
  void run() override;
  void stop(std::chrono::milliseconds grace) override;
  void wake() override;
  void post(std::function<void()> task) override { asio::post(context_, std::move(task)); }
  void repeat(std::chrono::milliseconds every, std::function<void()> task) override;

 private:
  struct Repetition {
    asio::steady_timer timer;
    std::chrono::milliseconds every;
    std::function<void()> task;
  };

  void renew_certificate();
  Status use_certificate(const CertificateAndKey& certificate);
  void on_wake();
  void begin_stop(std::chrono::milliseconds grace);
  void shut_down();
  static void schedule(const std::shared_ptr<Repetition>& repetition);

  HttpServerOptions options_;
  std::optional<TlsContext> tls_;
  ConnectionTable connections_;
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_ =
      asio::make_work_guard(context_);
  Listener listener_;
  asio::steady_timer grace_timer_{context_};
  std::uint16_t port_ = 0;
  std::atomic<bool> wake_posted_ = false;
  std::vector<std::shared_ptr<Repetition>> repetitions_;
};

Status Server::listen() {
  const std::string where = options_.address + ":" + std::to_string(options_.port);
  boost::system::error_code code;
  const auto address = asio::ip::make_address(options_.address, code);
  if (code) return Error{ErrorCode::InvalidInput, "listen on " + where + ": not an IP address"};
  const tcp::endpoint endpoint(address, options_.port);
  tcp::acceptor& acceptor = listener_.acceptor();
  acceptor.open(endpoint.protocol(), code);
  if (!code) acceptor.set_option(tcp::acceptor::reuse_address(true), code);
  if (!code && options_.v6_only && address.is_v6())
    acceptor.set_option(asio::ip::v6_only(true), code);
  if (!code) acceptor.bind(endpoint, code);
  if (!code) acceptor.listen(asio::socket_base::max_listen_connections, code);
  if (code) return Error{ErrorCode::InvalidInput, "listen on " + where + ": " + code.message()};
  port_ = acceptor.local_endpoint(code).port();
  listener_.start();
  return Unit{};
}

void Server::run() {
  context_.run();
  shut_down();
}

// However many changes there are, one call on the loop is under way at most.
void Server::wake() {
  if (wake_posted_.exchange(true)) return;
  asio::post(context_, [this] { on_wake(); });
}

void Server::on_wake() {
  wake_posted_ = false;  // before asking: a change that comes meanwhile wakes again
  listener_.woken();
}

void Server::repeat(std::chrono::milliseconds every, std::function<void()> task) {
  auto repetition = std::make_shared<Repetition>(
      Repetition{asio::steady_timer(context_), every, std::move(task)});
  repetitions_.push_back(repetition);
  schedule(repetition);
}

void Server::schedule(const std::shared_ptr<Repetition>& repetition) {
  repetition->timer.expires_after(repetition->every);
  repetition->timer.async_wait([repetition](const boost::system::error_code& code) {
    if (code) return;
    repetition->task();
    schedule(repetition);
  });
}

void Server::renew_certificate() {
  auto fresh = options_.renewal.fetch();
  const Status used = fresh ? use_certificate(*fresh) : Status(std::move(fresh).error());
  if (!used && options_.renewal.failed) options_.renewal.failed(used.error());
}

// Connections that have begun keep the one that they began with.
Status Server::use_certificate(const CertificateAndKey& certificate) {
  if (certificate.certificate_pem == options_.certificate_pem &&
      certificate.key_pem == options_.key_pem)
    return Unit{};
  PROXIMA_TRY(tls_, TlsContext::for_server(certificate.certificate_pem, certificate.key_pem),
              "new certificate");
  options_.certificate_pem = certificate.certificate_pem;
  options_.key_pem = certificate.key_pem;
  return Unit{};
}

void Server::stop(std::chrono::milliseconds grace) {
  asio::post(context_, [this, grace] { begin_stop(grace); });
}

void Server::begin_stop(std::chrono::milliseconds grace) {
  listener_.begin_stop(Unasked::Close, [this] { context_.stop(); });
  grace_timer_.expires_after(grace);
  grace_timer_.async_wait([this](const boost::system::error_code& code) {
    if (!code) context_.stop();
  });
}

// Closes what is open and runs the handlers that this ends, so that nothing outlives the server.
void Server::shut_down() {
  for (const auto& repetition : repetitions_) repetition->timer.cancel();
  repetitions_.clear();
  listener_.close();
  work_.reset();
  context_.restart();
  context_.poll();
}

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::create(HttpServerOptions options,
                                                       HttpHandler& handler) {
  std::optional<TlsContext> tls;
  if (!options.certificate_pem.empty()) {
    PROXIMA_TRY(tls, TlsContext::for_server(options.certificate_pem, options.key_pem),
                "serve " + options.address);
  }
  try {
    auto server = std::make_unique<Server>(std::move(options), std::move(tls), handler);
    if (auto status = server->listen(); !status) return std::move(status).error();
    return std::unique_ptr<HttpServer>(std::move(server));
  } catch (const boost::system::system_error& error) {  // no descriptor left for the loop
    return Error{ErrorCode::Retry, std::string("start the server: ") + error.what()};
  }
}

}  // namespace proxima::net
