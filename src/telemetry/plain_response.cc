// SPDX-License-Identifier: Apache-2.0
#include "telemetry/plain_response.h"

#include <utility>

namespace proxima::telemetry {

net::HttpResponse plain_response(int status, std::string text) {
  return {.status = status,
          .headers = {{"Content-Type", "text/plain; charset=utf-8"},
                      {"X-Content-Type-Options", "nosniff"}},
          .body = std::move(text)};
}

}  // namespace proxima::telemetry
