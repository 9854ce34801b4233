// SPDX-License-Identifier: Apache-2.0
#include "net/listener.h"

#include <boost/asio/error.hpp>
#include <utility>

namespace proxima::net {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::size_t kRefusedConnectionsMax = 64;           // told 503; beyond that just closed
constexpr std::chrono::milliseconds kAcceptAgainAfter{100};  // when descriptors run out

// "" when the client is gone already. A socket of both families tells IPv4 addresses as they are.
std::string address_of_peer(const tcp::socket& socket) {
  boost::system::error_code code;
  const auto address = socket.remote_endpoint(code).address();
  if (code) return {};
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address.to_string();
  return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
}

}  // namespace

Listener::Listener(asio::io_context& context, const HttpServerLimits& limits, HttpHandler& handler,
                   const TlsContext* tls)
    : context_(context),
      limits_(limits),
      handler_(handler),
      tls_(tls),
      acceptor_(context),
      accept_timer_(context) {}

void Listener::start() { accept(); }

void Listener::accept() {
  accepting_ = true;
  acceptor_.async_accept([this](const boost::system::error_code& code, tcp::socket socket) {
    accepting_ = false;
    if (!acceptor_.is_open()) return;
    if (!code) on_accepted(std::move(socket));
    if (when_accepted_) return accept_the_rest();
    if (code == asio::error::operation_aborted) return;
    if (code == asio::error::no_descriptors || code == asio::error::no_memory ||
        code == asio::error::no_buffer_space) {
      return accept_later();
    }
    accept();
  });
}

void Listener::accept_later() {
  accept_timer_.expires_after(kAcceptAgainAfter);
  accept_timer_.async_wait([this](const boost::system::error_code& code) {
    if (!code && acceptor_.is_open()) accept();
  });
}

void Listener::on_accepted(tcp::socket socket) {
  if (connections_.size() >= limits_.max_connections + kRefusedConnectionsMax) {
    return;  // closes the socket
  }
  boost::system::error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  std::string peer = address_of_peer(socket);
  auto stream = ByteStream::plain(std::move(socket));
  if (tls_ != nullptr) stream = stream->into_tls(tls_->new_server_session());
  const auto connection =
      std::make_shared<ServerConnection>(std::move(stream), asio::steady_timer(context_),
                                         static_cast<ConnectionHost&>(*this), std::move(peer));
  const bool overload = connections_.size() >= limits_.max_connections;
  connections_.insert(connection);
  connection->start(overload ? Admission::Overload : Admission::Served);
}

void Listener::forget(const std::shared_ptr<ServerConnection>& connection) {
  connections_.erase(connection);
  std::erase(waiting_, connection);
  if (connections_.empty() && when_empty_) std::exchange(when_empty_, nullptr)();
}

void Listener::woken() {
  for (const auto& connection : std::exchange(waiting_, {})) connection->woken();
}

// An accept under way may have its connection already, so it is heard before the rest.
void Listener::stop_accepting(std::function<void()> stopped) {
  when_accepted_ = std::move(stopped);
  accept_timer_.cancel();
  boost::system::error_code ignored;
  acceptor_.cancel(ignored);
  if (!accepting_) accept_the_rest();
}

void Listener::accept_the_rest() {
  boost::system::error_code code;
  acceptor_.non_blocking(true, code);
  while (!code && acceptor_.is_open()) {
    tcp::socket socket(context_);
    acceptor_.accept(socket, code);
    if (!code) on_accepted(std::move(socket));
    if (code == asio::error::connection_aborted || code == asio::error::interrupted) code = {};
  }
  acceptor_.close(code);
  std::exchange(when_accepted_, nullptr)();
}

void Listener::begin_stop(Unasked unasked, std::function<void()> when_empty) {
  stopping_ = true;
  accept_timer_.cancel();
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  const auto connections = connections_;  // closing changes the set
  for (const auto& connection : connections) connection->begin_stop(unasked);
  if (connections_.empty()) return when_empty();
  when_empty_ = std::move(when_empty);
}

void Listener::close() {
  stopping_ = true;
  when_accepted_ = nullptr;
  accept_timer_.cancel();
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  const auto connections = connections_;
  for (const auto& connection : connections) connection->close();
  waiting_.clear();
}

void Listener::cut() {
  const auto connections = connections_;
  for (const auto& connection : connections) connection->cut();
  close();
}

}  // namespace proxima::net
