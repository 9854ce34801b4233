// SPDX-License-Identifier: Apache-2.0
// Makes sockets inside network namespaces, on a thread of its own: entering one takes a moment that
// no request should wait for.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/descriptor.h"
#include "base/ip_address.h"
#include "base/run_inside.h"

namespace proxima::traffic {

// Fewer than `count`, or none, when the system refuses; `reason` then says why.
struct MadeSockets {
  std::vector<Descriptor> sockets;
  std::string reason;
};
MadeSockets make_sockets_inside(const RunInside& inside, IpFamily family, std::size_t count);

class SocketMaker {
 public:
  struct Order {
    std::uint64_t customer = 0;
    IpFamily family = IpFamily::V4;
    std::size_t count = 0;
    RunInside inside;
    std::function<void(std::vector<Descriptor>)> deliver;  // called on the maker's thread
  };

  SocketMaker();
  ~SocketMaker();
  SocketMaker(const SocketMaker&) = delete;
  SocketMaker& operator=(const SocketMaker&) = delete;

  void order(Order order);
  // Returns when no order of the customer is left or under way.
  void forget(std::uint64_t customer);
  // Returns when none is under way; nothing is made any more.
  void end();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Order> orders_;
  std::uint64_t busy_with_ = 0;  // a customer; 0: nobody
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace proxima::traffic
