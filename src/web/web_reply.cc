// SPDX-License-Identifier: Apache-2.0
#include "web/web_reply.h"

#include "base/json_text.h"

namespace proxima::web {
namespace {

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::InvalidInput:
      return 400;
    case ErrorCode::Denied:
      return 403;
    case ErrorCode::NotFound:
      return 404;
    case ErrorCode::Conflict:
    case ErrorCode::Relist:
      return 409;
    case ErrorCode::Retry:
      return 503;
    case ErrorCode::Unsupported:
      return 501;
  }
  return 500;
}

}  // namespace

net::HttpResponse json_response(std::string body) {
  return {.status = 200,
          .headers = {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}},
          .body = std::move(body)};
}

net::HttpResponse error_response(int status, std::string_view sentence) {
  net::HttpResponse out = json_response("{\"error\":" + json_text(sentence) + "}");
  out.status = status;
  return out;
}

net::HttpResponse error_response(const Error& error) {
  return error_response(status_of(error.code), error.message);
}

net::HttpResponse done_response(const Status& status) {
  return status ? json_response("{}") : error_response(status.error());
}

void add_common_headers(net::HttpResponse& response) {
  response.headers.set("Content-Security-Policy",
                       "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri "
                       "'none'; form-action 'none'; frame-ancestors 'none'");
  response.headers.set("X-Content-Type-Options", "nosniff");
  response.headers.set("X-Frame-Options", "DENY");
  response.headers.set("Referrer-Policy", "no-referrer");
  response.headers.set("Cross-Origin-Opener-Policy", "same-origin");
  response.headers.set("Cross-Origin-Resource-Policy", "same-origin");
}

net::Reply reply_now(net::HttpResponse response) {
  net::Reply reply;
  reply.response = std::move(response);
  return reply;
}

}  // namespace proxima::web
