// SPDX-License-Identifier: Apache-2.0
// Many small HTTP/1.1 servers on one event loop: doors that open and close while it runs, each with
// a listening socket, which may belong to another network namespace, and a handler of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/result.h"
#include "net/http_server.h"
#include "net/listening_socket.h"

namespace proxima::net {

class HttpDoors {
 public:
  using Id = std::uint64_t;

  // The doors share the slots of the policy. An error: no descriptor left for the loop.
  static Result<std::unique_ptr<HttpDoors>> create(const ListenerPolicy& policy);
  virtual ~HttpDoors() = default;

  // Serves on the calling thread until end().
  virtual void run() = 0;
  // From any thread, as all that follows: makes run() return; all doors are closed at once.
  virtual void end() = 0;

  // The handler is asked on the loop, and kept until the door is gone. An error: the system has no
  // room to watch one more socket.
  virtual Result<Id> open(ListeningSocket socket, std::unique_ptr<HttpHandler> handler) = 0;
  // Connections that have begun are served: the door takes no new ones for the length of `drain`,
  // then it is closed, and requests under way have `grace` to finish. Then `closed` is called, on
  // the loop; at once for a door that is gone.
  struct Farewell {
    std::chrono::milliseconds drain;
    std::chrono::milliseconds grace;
  };
  virtual void close(Id door, Farewell farewell, std::function<void()> closed) = 0;
  // At once, and without telling the clients where the system allows it. `closed` as above.
  virtual void cut(Id door, std::function<void()> closed) = 0;
};

}  // namespace proxima::net
