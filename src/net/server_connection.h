// SPDX-License-Identifier: Apache-2.0
// One connection of an HttpServer: reads a request, asks the handler, writes the reply, and again.
// Everything happens on the loop's thread.
//
//   Handshake → Request ⇄ Admitting, Continue
//                 ↓ ↑
//              NotReady → Whole | Streaming → (Request) | Lingering → Closed
//
// The read side is watched all the time, also while a reply waits: that is how a client that left
// is noticed. What it sends early (pipelining) stays in the buffer, up to a limit.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "net/body_budget.h"
#include "net/byte_stream.h"
#include "net/connection_roster.h"
#include "net/http_parser.h"
#include "net/http_server.h"
#include "net/input_buffer.h"

namespace proxima::net {

class ServerConnection;

// What a connection asks of its server.
class ConnectionHost {
 public:
  virtual ~ConnectionHost() = default;
  virtual HttpHandler& handler() = 0;
  virtual const ListenerPolicy& policy() const = 0;
  virtual BodyBudget& bodies() = 0;
  virtual std::size_t gzip_bytes_min() const = 0;
  // An authenticated request of `holder` begins; other connections may be closed for that.
  virtual void begin_request(const ServerConnection& connection, const std::string& holder) = 0;
  virtual void set_standing(const ServerConnection& connection, Standing standing) = 0;
  virtual bool is_stopping() const = 0;
  // Calls woken() once, after the next wake().
  virtual void wait_for_wake(std::shared_ptr<ServerConnection> connection) = 0;
  virtual void forget(const std::shared_ptr<ServerConnection>& connection) = 0;
};

enum class Reception { Served, Overload };

// What becomes of a connection without any request so far when the server stops.
enum class Unasked { Close, Await };

class ServerConnection : public std::enable_shared_from_this<ServerConnection> {
 public:
  struct Identity {
    ConnectionRoster::Id id = 0;
    std::string peer;  // its address
  };
  ServerConnection(std::unique_ptr<ByteStream> stream, boost::asio::steady_timer timer,
                   ConnectionHost& host, Identity identity);

  ConnectionRoster::Id id() const { return identity_.id; }
  Reception reception() const { return reception_; }
  // Overload: the answer is 503, whatever is asked.
  void start(Reception reception);
  void woken();
  // The server stops: what is under way may finish, nothing new begins.
  void begin_stop(Unasked unasked);
  // At once. The host forgets the connection.
  void close();
  // The same, and the peer is not told.
  void cut();

 private:
  enum class Phase {
    Handshake,
    Request,    // its header or its body is being read
    Admitting,  // the handler has the header and makes up its mind; the body waits
    Continue,   // "100 Continue" is being written
    NotReady,   // the reply's gate is closed
    Whole,      // the reply is being written
    Streaming,  // its body comes in pieces
    Lingering,  // all is written; the client may take its time to read it
    Closed,
  };
  using Clock = std::chrono::steady_clock;

  void shake_hands();
  void after_handshake();

  void begin_request();
  void parse_input();
  // False: something else goes on now than reading the request. So with those that follow.
  bool on_head();
  bool obey(Admission admission);
  bool prepare_body();
  void dispatch();
  void begin_deadline();
  // Of the body. False: it was refused.
  bool keep(std::string_view piece);
  // The body is not kept any more, here or by the handler.
  void give_body_back();
  void refuse_body();
  void refuse_for_now();
  void refuse(const ParseError& error);
  void refuse(int status, std::string_view why);

  void send_when_ready();
  void send_reply();
  void send_whole();
  void pump();
  Pull fill_from_source();
  void wait_for_source();
  void finish_reply();
  void linger();

  void read_more();
  void on_read(const ByteStream::SystemError& code, std::size_t count);
  void on_read_end(const ByteStream::SystemError& code);
  std::string_view body() const { return shared_body_ ? *shared_body_ : body_; }
  void write_rest();
  void on_written(const ByteStream::SystemError& code, std::size_t count);
  void after_write();

  void allow(std::chrono::milliseconds limit);  // until something else is allowed
  void allow_until(Clock::time_point deadline);
  void allow_forever();
  void arm_timer();
  void on_timer();
  void on_timeout();

  std::unique_ptr<ByteStream> stream_;
  boost::asio::steady_timer timer_;
  ConnectionHost& host_;
  const Identity identity_;
  Reception reception_ = Reception::Served;
  Phase phase_ = Phase::Handshake;

  InputBuffer in_;
  bool reading_ = false;
  bool peer_finished_ = false;  // it will send no more
  std::size_t lingered_bytes_ = 0;

  std::optional<HttpParser> parser_;
  HttpRequest request_;
  bool asked_ = false;          // there was a request
  bool authenticated_ = false;  // one of them was
  std::string holder_;          // who it was, see Admission
  std::size_t body_bytes_max_ = 0;
  std::size_t body_bytes_taken_ = 0;                               // of the budget of the listener
  Clock::time_point request_deadline_ = Clock::time_point::max();  // unknown before it begins
  std::function<Admission()> ask_again_;                           // while Admitting
  Clock::time_point reply_deadline_ = Clock::time_point::max();
  int minor_version_ = 1;
  bool keep_alive_ = false;

  Reply reply_;
  bool chunked_ = false;
  bool source_ended_ = false;
  bool waiting_ = false;  // the host has us on its list

  std::string out_;   // written first
  std::string body_;  // then this, or what is shared
  std::shared_ptr<const std::string> shared_body_;
  std::size_t written_ = 0;  // of both
  bool writing_ = false;

  Clock::time_point deadline_ = Clock::time_point::max();  // of the present phase
  Clock::time_point source_deadline_ =
      Clock::time_point::max();  // when the source wants to be asked, or the reply may go
  Clock::time_point timer_set_to_ = Clock::time_point::max();
};

}  // namespace proxima::net
