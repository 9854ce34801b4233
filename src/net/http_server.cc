// SPDX-License-Identifier: Apache-2.0
#include "net/http_server.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "net/server_connection.h"
#include "net/tls_context.h"

namespace proxima::net {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::size_t kRefusedConnectionsMax = 64;           // told 503; beyond that just closed
constexpr std::chrono::milliseconds kAcceptAgainAfter{100};  // when descriptors run out

class Server final : public HttpServer, private ConnectionHost {
 public:
  Server(HttpServerOptions options, std::optional<TlsContext> tls, HttpHandler& handler)
      : options_(std::move(options)), tls_(std::move(tls)), handler_(handler) {}

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

  HttpHandler& handler() override { return handler_; }
  const HttpServerLimits& limits() const override { return options_.limits; }
  bool is_stopping() const override { return stopping_; }
  void wait_for_wake(std::shared_ptr<ServerConnection> connection) override {
    waiting_.push_back(std::move(connection));
  }
  void forget(const std::shared_ptr<ServerConnection>& connection) override;

  void accept();
  void on_accepted(tcp::socket socket);
  void accept_later();
  void on_wake();
  void begin_stop(std::chrono::milliseconds grace);
  void shut_down();
  static void schedule(const std::shared_ptr<Repetition>& repetition);

  HttpServerOptions options_;
  std::optional<TlsContext> tls_;
  HttpHandler& handler_;
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_ =
      asio::make_work_guard(context_);
  tcp::acceptor acceptor_{context_};
  asio::steady_timer accept_timer_{context_};
  asio::steady_timer grace_timer_{context_};
  std::uint16_t port_ = 0;
  bool stopping_ = false;
  std::atomic<bool> wake_posted_ = false;
  std::set<std::shared_ptr<ServerConnection>> connections_;
  std::vector<std::shared_ptr<ServerConnection>> waiting_;
  std::vector<std::shared_ptr<Repetition>> repetitions_;
};

Status Server::listen() {
  const std::string where = options_.address + ":" + std::to_string(options_.port);
  boost::system::error_code code;
  const auto address = asio::ip::make_address(options_.address, code);
  if (code) return Error{ErrorCode::InvalidInput, "listen on " + where + ": not an IP address"};
  const tcp::endpoint endpoint(address, options_.port);
  acceptor_.open(endpoint.protocol(), code);
  if (!code) acceptor_.set_option(tcp::acceptor::reuse_address(true), code);
  if (!code && options_.v6_only && address.is_v6())
    acceptor_.set_option(asio::ip::v6_only(true), code);
  if (!code) acceptor_.bind(endpoint, code);
  if (!code) acceptor_.listen(asio::socket_base::max_listen_connections, code);
  if (code) return Error{ErrorCode::InvalidInput, "listen on " + where + ": " + code.message()};
  port_ = acceptor_.local_endpoint(code).port();
  accept();
  return Unit{};
}

void Server::run() {
  context_.run();
  shut_down();
}

void Server::accept() {
  acceptor_.async_accept([this](const boost::system::error_code& code, tcp::socket socket) {
    if (!acceptor_.is_open()) return;
    if (!code) on_accepted(std::move(socket));
    if (code == asio::error::no_descriptors || code == asio::error::no_memory ||
        code == asio::error::no_buffer_space) {
      return accept_later();
    }
    accept();
  });
}

void Server::accept_later() {
  accept_timer_.expires_after(kAcceptAgainAfter);
  accept_timer_.async_wait([this](const boost::system::error_code& code) {
    if (!code && acceptor_.is_open()) accept();
  });
}

void Server::on_accepted(tcp::socket socket) {
  const std::size_t max = options_.limits.max_connections;
  if (connections_.size() >= max + kRefusedConnectionsMax) return;  // closes the socket
  boost::system::error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  auto stream = ByteStream::plain(std::move(socket));
  if (tls_) stream = stream->into_tls(tls_->new_server_session());
  const auto connection = std::make_shared<ServerConnection>(
      std::move(stream), asio::steady_timer(context_), static_cast<ConnectionHost&>(*this));
  const bool overload = connections_.size() >= max;
  connections_.insert(connection);
  connection->start(overload ? Admission::Overload : Admission::Served);
}

void Server::forget(const std::shared_ptr<ServerConnection>& connection) {
  connections_.erase(connection);
  std::erase(waiting_, connection);
  if (stopping_ && connections_.empty()) context_.stop();
}

// However many changes there are, one call on the loop is under way at most.
void Server::wake() {
  if (wake_posted_.exchange(true)) return;
  asio::post(context_, [this] { on_wake(); });
}

void Server::on_wake() {
  wake_posted_ = false;  // before asking: a change that comes meanwhile wakes again
  for (const auto& connection : std::exchange(waiting_, {})) connection->woken();
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

void Server::stop(std::chrono::milliseconds grace) {
  asio::post(context_, [this, grace] { begin_stop(grace); });
}

void Server::begin_stop(std::chrono::milliseconds grace) {
  stopping_ = true;
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  const auto connections = connections_;  // closing changes the set
  for (const auto& connection : connections) connection->begin_stop();
  if (connections_.empty()) return context_.stop();
  grace_timer_.expires_after(grace);
  grace_timer_.async_wait([this](const boost::system::error_code& code) {
    if (!code) context_.stop();
  });
}

// Closes what is open and runs the handlers that this ends, so that nothing outlives the server.
void Server::shut_down() {
  stopping_ = true;
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  for (const auto& repetition : repetitions_) repetition->timer.cancel();
  repetitions_.clear();
  const auto connections = connections_;
  for (const auto& connection : connections) connection->close();
  waiting_.clear();
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
