// SPDX-License-Identifier: Apache-2.0
// One thread's loop over sockets and deadlines. Everything but post() and call() happens on the
// loop's thread, or before it runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace proxima::traffic {

class EventLoop {
 public:
  using Time = std::chrono::steady_clock::time_point;

  class Listener {
   public:
    virtual ~Listener() = default;
    // The socket may have become readable, writable or broken.
    virtual void on_socket() = 0;
    // The deadline has come. It is not set any more.
    virtual void on_deadline() = 0;
  };
  using Deadlines = std::multimap<Time, Listener*>;

  static Result<std::unique_ptr<EventLoop>> create();

  // Until end(). Tasks that come later are never run.
  void run();
  // From any thread.
  void end();
  void post(std::function<void()> task);
  // The same, and waits until it is done. Not on the loop's thread, and only while it runs.
  void call(const std::function<void()>& task);

  // Changes of the socket are told until it is closed. The listener must not die in a call of
  // another's on_socket(). False: the system refuses.
  bool watch(const Descriptor& socket, Listener& listener);
  Deadlines::iterator set_deadline(Time when, Listener& listener);
  void drop_deadline(Deadlines::iterator deadline) { deadlines_.erase(deadline); }

 private:
  EventLoop() = default;
  void arm();
  void ring_deadlines();
  void run_tasks();

  Descriptor epoll_;
  Descriptor timer_;
  Descriptor wake_;
  Deadlines deadlines_;
  Time armed_ = Time::max();
  bool ended_ = false;

  std::mutex mutex_;
  std::vector<std::function<void()>> tasks_;
};

}  // namespace proxima::traffic
