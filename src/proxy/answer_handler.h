// SPDX-License-Identifier: Apache-2.0
// Answers health checks over HTTP, whichever server they come through.
#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "net/http_server.h"
#include "proxy/health_answer.h"

namespace proxima::proxy {

class AnswerHandler final : public net::HttpHandler {
 public:
  // Called on the server's thread: looks, never waits. `path` is without the query.
  using Answer = std::function<HealthAnswer(std::string_view path)>;
  explicit AnswerHandler(Answer answer) : answer_(std::move(answer)) {}

  net::Reply handle(const net::HttpRequest& request) override;

 private:
  Answer answer_;
};

}  // namespace proxima::proxy
