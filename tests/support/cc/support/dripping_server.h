// SPDX-License-Identifier: Apache-2.0
// An HTTP server whose answer never pauses and never ends.
#pragma once

#include <string>
#include <thread>

#include "support/raw_socket.h"

namespace proxima::support {

// A body that comes a byte at a time, for ten seconds or until the client has enough of it.
class DrippingServer {
 public:
  DrippingServer()
      : thread_([this] {
          const RawSocket socket = listener_.accept();
          socket.receive_until("\r\n\r\n");
          socket.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
          for (int i = 0; i < 2000 && socket.receive(5).empty() && socket.send("x"); ++i) {
          }
        }) {}
  ~DrippingServer() { thread_.join(); }
  DrippingServer(const DrippingServer&) = delete;
  DrippingServer& operator=(const DrippingServer&) = delete;
  std::string origin() const { return "http://127.0.0.1:" + std::to_string(listener_.port()); }

 private:
  RawListener listener_;
  std::thread thread_;
};

}  // namespace proxima::support
