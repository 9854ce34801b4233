// SPDX-License-Identifier: Apache-2.0
#include "net/http_doors.h"

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "net/listener.h"

namespace proxima::net {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// Lives on the loop.
struct Door {
  Door(asio::io_context& context, ConnectionTable& connections,
       std::unique_ptr<HttpHandler> owned_handler)
      : handler(std::move(owned_handler)),
        listener(context, connections, *handler, {}),
        timer(context) {}

  std::unique_ptr<HttpHandler> handler;
  Listener listener;
  asio::steady_timer timer;                      // of the drain, then of the grace
  std::vector<std::function<void()>> farewells;  // called when it is gone
  bool closing = false;
};

class Doors final : public HttpDoors {
 public:
  explicit Doors(const ListenerPolicy& policy) : connections_(policy) {}
  ~Doors() override { shut_down(); }
  Doors(const Doors&) = delete;
  Doors& operator=(const Doors&) = delete;

  void run() override {
    context_.run();
    shut_down();
  }
  void end() override { context_.stop(); }
  Result<Id> open(ListeningSocket socket, std::unique_ptr<HttpHandler> handler) override;
  void close(Id door, Farewell farewell, std::function<void()> closed) override;
  void cut(Id door, std::function<void()> closed) override;

 private:
  void begin_open(Id id, const std::shared_ptr<Door>& door);
  void begin_close(Id id, Farewell farewell, std::function<void()> closed);
  void begin_cut(Id id, std::function<void()> closed);
  void after_drain(Id id, std::chrono::milliseconds grace);
  void gone(Id id);
  void shut_down();

  ConnectionTable connections_;  // handlers in the loop's queue may still know it
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_ =
      asio::make_work_guard(context_);
  std::atomic<Id> last_id_ = 0;
  std::map<Id, std::shared_ptr<Door>> doors_;
};

Result<HttpDoors::Id> Doors::open(ListeningSocket socket, std::unique_ptr<HttpHandler> handler) {
  const Id id = ++last_id_;
  auto door = std::make_shared<Door>(context_, connections_, std::move(handler));
  boost::system::error_code code;
  door->listener.acceptor().assign(socket.is_v6() ? tcp::v6() : tcp::v4(), socket.descriptor(),
                                   code);
  if (code) return Error{ErrorCode::Retry, "watch a listening socket: " + code.message()};
  (void)socket.release();
  asio::post(context_, [this, id, door] { begin_open(id, door); });
  return id;
}

void Doors::begin_open(Id id, const std::shared_ptr<Door>& door) {
  doors_.emplace(id, door);
  door->listener.start();
}

void Doors::close(Id door, Farewell farewell, std::function<void()> closed) {
  asio::post(context_, [this, door, farewell, closed = std::move(closed)]() mutable {
    begin_close(door, farewell, std::move(closed));
  });
}

void Doors::begin_close(Id id, Farewell farewell, std::function<void()> closed) {
  const auto found = doors_.find(id);
  if (found == doors_.end()) return closed();
  Door& door = *found->second;
  door.farewells.push_back(std::move(closed));
  if (std::exchange(door.closing, true)) return;
  turn_newcomers_away(door.listener.acceptor().native_handle());
  door.timer.expires_after(farewell.drain);
  door.timer.async_wait([this, id, farewell](const boost::system::error_code& code) {
    if (!code) after_drain(id, farewell.grace);
  });
}

void Doors::after_drain(Id id, std::chrono::milliseconds grace) {
  const auto found = doors_.find(id);
  if (found == doors_.end()) return;
  const std::shared_ptr<Door> door = found->second;
  door->timer.expires_after(grace);
  door->timer.async_wait([this, id](const boost::system::error_code& code) {
    if (!code) gone(id);
  });
  // Not at once: a connection that has just gone is still on its way out of the listener.
  const auto gone_soon = [this, id] { asio::post(context_, [this, id] { gone(id); }); };
  door->listener.stop_accepting(
      [&listener = door->listener, gone_soon] { listener.begin_stop(Unasked::Await, gone_soon); });
}

void Doors::cut(Id door, std::function<void()> closed) {
  asio::post(context_, [this, door, closed = std::move(closed)]() mutable {
    begin_cut(door, std::move(closed));
  });
}

void Doors::begin_cut(Id id, std::function<void()> closed) {
  const auto found = doors_.find(id);
  if (found == doors_.end()) return closed();
  found->second->farewells.push_back(std::move(closed));
  found->second->listener.cut();
  gone(id);
}

// What is queued on the loop may still know the door, so it is kept for one turn more.
void Doors::gone(Id id) {
  const auto found = doors_.find(id);
  if (found == doors_.end()) return;
  const std::shared_ptr<Door> door = found->second;
  doors_.erase(found);
  door->timer.cancel();
  door->listener.close();
  for (const auto& farewell : std::exchange(door->farewells, {})) farewell();
  asio::post(context_, [door] {});
}

void Doors::shut_down() {
  while (!doors_.empty()) gone(doors_.begin()->first);
  work_.reset();
  context_.restart();
  context_.poll();
  while (!doors_.empty()) gone(doors_.begin()->first);  // opened by what was still queued
  context_.restart();
  context_.poll();
}

}  // namespace

Result<std::unique_ptr<HttpDoors>> HttpDoors::create(const ListenerPolicy& policy) {
  try {
    return std::unique_ptr<HttpDoors>(std::make_unique<Doors>(policy));
  } catch (const boost::system::system_error& error) {  // no descriptor left for the loop
    return Error{ErrorCode::Retry, std::string("start the loop: ") + error.what()};
  }
}

}  // namespace proxima::net
