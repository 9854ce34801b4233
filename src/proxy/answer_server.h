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
#include "proxy/health_answer.h"

namespace proxima::proxy {

struct AnswerAddress {
  std::string address;     // of this host, or a wildcard
  std::uint16_t port = 0;  // 0: any free one
  bool v6_only = false;    // leaves the port to others in IPv4
};

class AnswerServer {
 public:
  // Called on the server's thread: looks, never waits. `path` is without the query.
  using Answer = std::function<HealthAnswer(std::string_view path)>;
  // An error names the address.
  static Result<std::unique_ptr<AnswerServer>> start(const AnswerAddress& at, Answer answer);
  virtual ~AnswerServer() = default;
  virtual std::uint16_t port() const = 0;
};

}  // namespace proxima::proxy
