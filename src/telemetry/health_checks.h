// SPDX-License-Identifier: Apache-2.0
// /healthz, /livez and /readyz as Kubernetes' components answer them: "ok", or the named checks one
// a line, and why one fails only to whoever asks for that one by name.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "net/http_message.h"

namespace proxima::telemetry {

struct HealthCheck {
  std::string name;
  // An error: unhealthy, and why. Called on the server's loop: looks, never waits.
  std::function<Status()> check;
};

struct HealthRequest {
  std::string_view endpoint;  // "readyz"
  std::string_view rest;      // of the path: "", "/" or "/NAME"
  std::span<const net::QueryParameter> query;
};

// Told of each check of a whole endpoint, as Kubernetes' components count them: not of those that
// were excluded, nor of one that was asked for by name.
using HealthObserver = std::function<void(const HealthCheck& check, bool healthy)>;

net::HttpResponse answer_health(const HealthRequest& request, std::span<const HealthCheck> checks,
                                const HealthObserver& observe);

}  // namespace proxima::telemetry
