// SPDX-License-Identifier: Apache-2.0
// A small HTTP server for health checks: one function answers every path, on a thread of its own
// from start() until it is destroyed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/listener_policy.h"
#include "proxy/answer_handler.h"

namespace proxima::proxy {

// Health checks come one by one and leave. All health check ports of Services share one of these.
inline constexpr net::ListenerPolicy kHealthListener = {
    .slots = 1024,
    .slots_per_address = 64,
    .header_bytes_max = 8U << 10U,
    .body_bytes_max = 0,
    .unauthenticated_idle = std::chrono::seconds(5),
    .authenticated_idle = std::chrono::seconds(5),
    .request_deadline = std::chrono::seconds(5),
    .write_stall = std::chrono::seconds(5)};

struct AnswerAddress {
  std::string address;     // of this host, or a wildcard
  std::uint16_t port = 0;  // 0: any free one
  bool v6_only = false;    // leaves the port to others in IPv4
};

class AnswerServer {
 public:
  using Answer = AnswerHandler::Answer;
  // An error names the address.
  static Result<std::unique_ptr<AnswerServer>> start(const AnswerAddress& at, Answer answer);
  virtual ~AnswerServer() = default;
  virtual std::uint16_t port() const = 0;
};

}  // namespace proxima::proxy
