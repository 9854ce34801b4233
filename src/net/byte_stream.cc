// SPDX-License-Identifier: Apache-2.0
#include "net/byte_stream.h"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <cerrno>
#include <utility>

#include "base/check.h"
#include "net/tls_context.h"

namespace proxima::net {

namespace {

namespace asio = boost::asio;
using Socket = asio::ip::tcp::socket;

// What a stream socket and the socket below TLS have in common.
using LowestSocket = Socket::lowest_layer_type;

void close_socket(LowestSocket& socket) {
  boost::system::error_code ignored;
  socket.close(ignored);
}

// A socket under repair sends nothing when it is closed; that needs rights over its network.
void cut_socket(LowestSocket& socket) {
  const int on = 1;
  if (setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_REPAIR, &on, sizeof on) != 0) {
    boost::system::error_code ignored;
    socket.set_option(asio::socket_base::linger(true, 0), ignored);
  }
  close_socket(socket);
}

bool is_disturbed_socket(LowestSocket& socket) {
  char byte = 0;
  const auto count = recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

asio::mutable_buffer buffer_of(std::span<char> room) { return {room.data(), room.size()}; }
asio::const_buffer buffer_of(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

template <class Next>
class TlsStream final : public ByteStream {
 public:
  TlsStream(Next next, SSL* session) : stream_(std::move(next), session) {}

  std::unique_ptr<ByteStream> into_tls(ssl_st* session) override {
    if constexpr (std::is_same_v<Next, Socket>) {
      return std::make_unique<TlsStream<asio::ssl::stream<Socket>>>(std::move(stream_), session);
    } else {
      PROXIMA_CHECK(session == nullptr);  // TLS in TLS in TLS: nobody asks for it
      return nullptr;
    }
  }
  bool is_tls() const override { return true; }
  void handshake(Role role, Handler handler) override {
    const auto type =
        role == Role::Client ? asio::ssl::stream_base::client : asio::ssl::stream_base::server;
    stream_.async_handshake(
        type, [handler = std::move(handler)](const SystemError& code) { handler(code, 0); });
  }
  Error handshake_error(const SystemError& code) override {
    return handshake_problem(stream_.native_handle(), code.message());
  }
  void read_some(std::span<char> room, Handler handler) override {
    stream_.async_read_some(buffer_of(room), std::move(handler));
  }
  void write_some(std::string_view bytes, Handler handler) override {
    stream_.async_write_some(buffer_of(bytes), std::move(handler));
  }
  void end_writing(std::shared_ptr<void> owner) override {
    stream_.async_shutdown([owner = std::move(owner)](const SystemError& /*need not succeed*/) {});
  }
  void close() override { close_socket(stream_.lowest_layer()); }
  void cut() override { cut_socket(stream_.lowest_layer()); }
  bool is_disturbed() override { return is_disturbed_socket(stream_.lowest_layer()); }

 private:
  asio::ssl::stream<Next> stream_;
};

class PlainStream final : public ByteStream {
 public:
  explicit PlainStream(Socket socket) : socket_(std::move(socket)) {}

  std::unique_ptr<ByteStream> into_tls(ssl_st* session) override {
    return std::make_unique<TlsStream<Socket>>(std::move(socket_), session);
  }
  bool is_tls() const override { return false; }
  void handshake(Role /*role*/, Handler /*handler*/) override { PROXIMA_CHECK(false); }
  Error handshake_error(const SystemError& code) override {
    return {ErrorCode::Retry, code.message()};
  }
  void read_some(std::span<char> room, Handler handler) override {
    socket_.async_read_some(buffer_of(room), std::move(handler));
  }
  void write_some(std::string_view bytes, Handler handler) override {
    socket_.async_write_some(buffer_of(bytes), std::move(handler));
  }
  void end_writing(std::shared_ptr<void> /*owner*/) override {
    SystemError ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
  }
  void close() override { close_socket(socket_); }
  void cut() override { cut_socket(socket_); }
  bool is_disturbed() override { return is_disturbed_socket(socket_); }

 private:
  Socket socket_;
};

}  // namespace

std::unique_ptr<ByteStream> ByteStream::plain(Socket socket) {
  return std::make_unique<PlainStream>(std::move(socket));
}

}  // namespace proxima::net
