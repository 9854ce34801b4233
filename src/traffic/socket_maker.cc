// SPDX-License-Identifier: Apache-2.0
#include "traffic/socket_maker.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "traffic/tcp_socket.h"

namespace proxima::traffic {

MadeSockets make_sockets_inside(const RunInside& inside, IpFamily family, std::size_t count) {
  MadeSockets made;
  const Status status = inside([&]() -> Status {
    for (std::size_t i = 0; i < count; ++i) {
      Descriptor socket = make_tcp_socket(family);
      if (!socket.is_open()) {
        return Error{ErrorCode::Retry, std::string("make a socket: ") + std::strerror(errno)};
      }
      made.sockets.push_back(std::move(socket));
    }
    return Unit{};
  });
  if (!status) made.reason = status.error().message;
  return made;
}

SocketMaker::SocketMaker() : thread_([this] { work(); }) {}

SocketMaker::~SocketMaker() { end(); }

void SocketMaker::end() {
  {
    const std::lock_guard guard(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void SocketMaker::order(Order order) {
  const std::lock_guard guard(mutex_);
  orders_.push_back(std::move(order));
  changed_.notify_all();
}

void SocketMaker::forget(std::uint64_t customer) {
  std::unique_lock lock(mutex_);
  std::erase_if(orders_, [&](const Order& order) { return order.customer == customer; });
  changed_.wait(lock, [&] { return busy_with_ != customer; });
}

void SocketMaker::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ended_ || !orders_.empty(); });
    if (ended_) return;
    {
      const Order order = std::move(orders_.front());
      orders_.pop_front();
      busy_with_ = order.customer;
      lock.unlock();
      order.deliver(make_sockets_inside(order.inside, order.family, order.count).sockets);
    }
    lock.lock();
    busy_with_ = 0;
    changed_.notify_all();
  }
}

}  // namespace proxima::traffic
