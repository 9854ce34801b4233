// SPDX-License-Identifier: Apache-2.0
#include "net/stream_relay.h"

#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <future>
#include <map>
#include <set>
#include <thread>
#include <utility>

namespace proxima::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ErrorOf = boost::system::error_code;

// After a failure to accept, as when there are no descriptors left.
constexpr std::chrono::milliseconds kAcceptPause{100};

// Two connections, each copied into the other. Lives as long as one of them has something to do.
class Pair : public std::enable_shared_from_this<Pair> {
 public:
  Pair(tcp::socket near, asio::io_context& context) : near_(std::move(near)), far_(context) {}

  void begin(const RelayTarget& target, std::function<void()> on_end) {
    on_end_ = std::move(on_end);
    const Result<int> made = target.make_socket();
    ErrorOf code;
    if (made) far_.assign(tcp::v4(), *made, code);
    if (!made || code) return end();
    near_.set_option(tcp::no_delay(true), code);
    far_.set_option(tcp::no_delay(true), code);
    far_.async_connect({asio::ip::address_v4::loopback(), target.port},
                       [self = shared_from_this()](ErrorOf failed) {
                         if (failed) return self->end();
                         self->copy(self->near_, self->far_, self->outward_);
                         self->copy(self->far_, self->near_, self->inward_);
                       });
  }

  void end() {
    ErrorOf ignored;
    near_.close(ignored);
    far_.close(ignored);
    // Only once: what runs after a close fails, and comes here again.
    if (const auto told = std::exchange(on_end_, nullptr)) told();
  }

 private:
  using Buffer = std::array<char, 16384>;

  void copy(tcp::socket& from, tcp::socket& to, Buffer& buffer) {
    from.async_read_some(
        asio::buffer(buffer),
        [this, &from, &to, &buffer, self = shared_from_this()](ErrorOf failed, std::size_t size) {
          if (failed == asio::error::eof) return half_done(to);
          if (failed) return end();
          asio::async_write(to, asio::buffer(buffer, size),
                            [this, &from, &to, &buffer, self](ErrorOf broken, std::size_t) {
                              broken ? end() : copy(from, to, buffer);
                            });
        });
  }

  // One side has said all it had; the other may go on.
  void half_done(tcp::socket& to) {
    ErrorOf ignored;
    to.shutdown(tcp::socket::shutdown_send, ignored);
    if (++halves_done_ == 2) end();
  }

  tcp::socket near_;
  tcp::socket far_;
  Buffer outward_;
  Buffer inward_;
  int halves_done_ = 0;
  std::function<void()> on_end_;
};

// A listening socket and its connections.
class Entrance : public std::enable_shared_from_this<Entrance> {
 public:
  Entrance(asio::io_context& context, ListeningSocket listener, RelayTarget target)
      : context_(context), acceptor_(context), pause_(context), target_(std::move(target)) {
    ErrorOf code;
    const bool v6 = listener.is_v6();
    acceptor_.assign(v6 ? tcp::v6() : tcp::v4(), listener.release(), code);
  }

  void accept() {
    acceptor_.async_accept([self = shared_from_this()](ErrorOf failed, tcp::socket socket) {
      if (!self->acceptor_.is_open()) return;
      if (failed) return self->accept_later();
      self->take(std::move(socket));
      self->accept();
    });
  }

  void close() {
    ErrorOf ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    for (const auto& pair : std::exchange(pairs_, {})) pair->end();
  }

 private:
  void take(tcp::socket socket) {
    if (pairs_.size() >= kRelayConnectionsMax) return;
    const auto pair = std::make_shared<Pair>(std::move(socket), context_);
    pairs_.insert(pair);
    pair->begin(target_, [self = weak_from_this(), held = std::weak_ptr(pair)] {
      if (const auto entrance = self.lock()) entrance->pairs_.erase(held.lock());
    });
  }

  void accept_later() {
    pause_.expires_after(kAcceptPause);
    pause_.async_wait([self = shared_from_this()](ErrorOf cancelled) {
      if (!cancelled) self->accept();
    });
  }

  asio::io_context& context_;
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  RelayTarget target_;
  std::set<std::shared_ptr<Pair>> pairs_;
};

class Relay final : public StreamRelay {
 public:
  Relay() : thread_([this] { context_.run(); }) {}
  ~Relay() override {
    on_loop([this] {
      for (const auto& [number, entrance] : entrances_) entrance->close();
      entrances_.clear();
    });
    work_.reset();
    thread_.join();
  }
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  std::uint64_t add(ListeningSocket listener, RelayTarget target) override {
    const auto entrance =
        std::make_shared<Entrance>(context_, std::move(listener), std::move(target));
    std::uint64_t number = 0;
    on_loop([&] {
      number = ++last_;
      entrances_[number] = entrance;
      entrance->accept();
    });
    return number;
  }

  void remove(std::uint64_t number) override {
    on_loop([&] {
      const auto found = entrances_.find(number);
      if (found == entrances_.end()) return;
      found->second->close();
      entrances_.erase(found);
    });
  }

 private:
  // Returns when `work` has run.
  template <class Work>
  void on_loop(Work work) {
    std::promise<void> done;
    asio::post(context_, [&] {
      work();
      done.set_value();
    });
    done.get_future().wait();
  }

  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_ =
      asio::make_work_guard(context_);
  std::map<std::uint64_t, std::shared_ptr<Entrance>> entrances_;  // the loop's own
  std::uint64_t last_ = 0;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<StreamRelay> StreamRelay::create() { return std::make_unique<Relay>(); }

}  // namespace proxima::net
