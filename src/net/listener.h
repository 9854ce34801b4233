// SPDX-License-Identifier: Apache-2.0
// A listening socket of a server, and the connections that came through it. Everything happens on
// the loop's thread, and the listener outlives what it has under way on the loop.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "net/connection_table.h"
#include "net/server_connection.h"
#include "net/tls_context.h"

namespace proxima::net {

class Listener final : private ConnectionHost {
 public:
  struct Settings {
    const TlsContext* tls = nullptr;  // null: plain HTTP
    std::size_t gzip_bytes_min = kGzipBytesMin;
  };
  // `connections` has those of other listeners, too, when they share its slots. What is borrowed
  // outlives the listener.
  Listener(boost::asio::io_context& context, ConnectionTable& connections, HttpHandler& handler,
           const Settings& settings);
  ~Listener() override { close(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // Not open yet: the owner opens, binds and listens, then calls start().
  boost::asio::ip::tcp::acceptor& acceptor() { return acceptor_; }
  void start();

  // Connections that wait are asked again.
  void woken();
  // Accepts what the kernel has already, and then no more; `stopped` is called after the last of
  // them, perhaps at once, and never when the listener is closed before.
  void stop_accepting(std::function<void()> stopped);
  // What is under way may finish, nothing new begins; `when_empty` is called after the last
  // connection is gone, perhaps at once.
  void begin_stop(Unasked unasked, std::function<void()> when_empty);
  // At once.
  void close();
  // As if the machine had lost its power, as far as the system lets us: no connection says goodbye.
  void cut();

 private:
  HttpHandler& handler() override { return handler_; }
  const ListenerPolicy& policy() const override { return table_.policy(); }
  BodyBudget& bodies() override { return table_.bodies(); }
  std::size_t gzip_bytes_min() const override { return settings_.gzip_bytes_min; }
  void begin_request(const ServerConnection& connection, const std::string& holder) override {
    table_.begin_request(connection, holder);
  }
  void set_standing(const ServerConnection& connection, Standing standing) override {
    table_.set_standing(connection, standing);
  }
  bool is_stopping() const override { return stopping_; }
  void wait_for_wake(std::shared_ptr<ServerConnection> connection) override {
    waiting_.push_back(std::move(connection));
  }
  void forget(const std::shared_ptr<ServerConnection>& connection) override;

  void accept();
  void accept_later();
  void accept_the_rest();
  void on_accepted(boost::asio::ip::tcp::socket socket);

  boost::asio::io_context& context_;
  ConnectionTable& table_;
  HttpHandler& handler_;
  const Settings settings_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer accept_timer_;
  bool accepting_ = false;  // an accept is under way
  bool stopping_ = false;
  std::function<void()> when_accepted_;
  std::function<void()> when_empty_;
  std::set<std::shared_ptr<ServerConnection>> connections_;
  std::size_t refused_ = 0;  // of the connections: they are told that there is no slot
  std::vector<std::shared_ptr<ServerConnection>> waiting_;
};

}  // namespace proxima::net
