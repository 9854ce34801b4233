// SPDX-License-Identifier: Apache-2.0
// One try of a request over a connection of its own: connects, asks, reads the answer, and never
// blocks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "net/http_parser.h"
#include "net/input_buffer.h"
#include "traffic/client_fleet.h"

namespace proxima::traffic {

class HttpTry {
 public:
  enum class Progress {
    Going,
    Answered,  // completely
    Broken,    // the connection was refused, reset or ended early: another try may do better
    Wrong,     // what came is not HTTP
  };

  // `socket` is new and of the family of the target.
  HttpTry(Descriptor socket, const Target& target);

  const Descriptor& socket() const { return socket_; }
  // Once, after the socket is watched.
  Progress begin(const Target& target);
  // After every change of the socket.
  Progress go_on();

  bool is_connected() const { return phase_ == Phase::Reading; }
  std::uint64_t bytes_read() const { return bytes_read_; }
  // After Answered.
  const net::HttpHead& head() const { return parser_.head(); }

 private:
  enum class Phase { Connecting, Reading };

  Progress write();
  Progress read();
  Progress parse();

  Descriptor socket_;
  std::string request_;
  Phase phase_ = Phase::Connecting;
  net::HttpParser parser_;
  net::InputBuffer in_;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace proxima::traffic
