// SPDX-License-Identifier: Apache-2.0
// A connection's bytes, plain or under TLS, for code that need not know which. Asio's rules: at
// most one read and one write at a time, handlers run by the io_context, buffers stay until then.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

struct ssl_st;

namespace proxima::net {

class ByteStream {
 public:
  using SystemError = boost::system::error_code;
  using Handler = std::function<void(const SystemError&, std::size_t)>;
  enum class Role { Client, Server };

  static std::unique_ptr<ByteStream> plain(boost::asio::ip::tcp::socket socket);
  // The same connection under TLS; owns `session`. Nothing may be under way. At most twice: TLS to
  // a proxy, and in it TLS to the origin.
  virtual std::unique_ptr<ByteStream> into_tls(ssl_st* session) = 0;

  virtual ~ByteStream() = default;
  virtual bool is_tls() const = 0;
  // Only under TLS.
  virtual void handshake(Role role, Handler handler) = 0;
  virtual Error handshake_error(const SystemError& code) = 0;
  virtual void read_some(std::span<char> room, Handler handler) = 0;
  virtual void write_some(std::string_view bytes, Handler handler) = 0;
  // Says that nothing more will be written. Reading goes on. `owner` is whatever keeps this stream
  // alive, held until that is said.
  virtual void end_writing(std::shared_ptr<void> owner) = 0;
  // What is under way ends with an error.
  virtual void close() = 0;
  // The same without a word to the peer where the system allows it, else with a reset.
  virtual void cut() = 0;
  // Whether the peer, from which nothing is expected, has closed the connection or sent something.
  virtual bool is_disturbed() = 0;
};

}  // namespace proxima::net
