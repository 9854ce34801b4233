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

constexpr std::size_t kHostPrefixBytes = 8;  // of an IPv6 address: a host can have all the rest

struct Peer {
  std::string address;  // "" when the client is gone already
  std::string source;   // what slots for one address are counted by
};

// A socket of both families tells IPv4 addresses as they are.
Peer peer_of(const tcp::socket& socket) {
  boost::system::error_code code;
  const auto address = socket.remote_endpoint(code).address();
  if (code) return {};
  if (!address.is_v6()) return {address.to_string(), address.to_string()};
  const auto v6 = address.to_v6();
  if (v6.is_v4_mapped()) {
    const std::string v4 = asio::ip::make_address_v4(asio::ip::v4_mapped, v6).to_string();
    return {v4, v4};
  }
  const auto bytes = v6.to_bytes();
  return {v6.to_string(), std::string(bytes.begin(), bytes.begin() + kHostPrefixBytes)};
}

}  // namespace

Listener::Listener(asio::io_context& context, ConnectionTable& connections, HttpHandler& handler,
                   const Settings& settings)
    : context_(context),
      table_(connections),
      handler_(handler),
      settings_(settings),
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
    // One who waits outside is worth more than one who sits inside and is nobody.
    if (code == asio::error::no_descriptors && table_.close_one()) return accept();
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
  const Peer peer = peer_of(socket);
  const bool full = table_.make_room(peer.source) == ConnectionTable::Room::Full;
  if (full && refused_ >= kRefusedConnectionsMax) return;  // closes the socket
  boost::system::error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  auto stream = ByteStream::plain(std::move(socket));
  if (settings_.tls != nullptr) stream = stream->into_tls(settings_.tls->new_server_session());
  const auto connection = std::make_shared<ServerConnection>(
      std::move(stream), asio::steady_timer(context_), static_cast<ConnectionHost&>(*this),
      ServerConnection::Identity{.id = table_.next_id(), .peer = peer.address});
  connections_.insert(connection);
  if (full) {
    ++refused_;
    return connection->start(Reception::Overload);
  }
  table_.add(connection, peer.source);
  connection->start(Reception::Served);
}

void Listener::forget(const std::shared_ptr<ServerConnection>& connection) {
  if (connection->reception() == Reception::Overload) --refused_;
  table_.remove(*connection);
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
