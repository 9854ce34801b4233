// SPDX-License-Identifier: Apache-2.0
// Answers in the forms that the page knows, with the headers that every one of them has.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "net/http_server.h"

namespace proxima::web {

net::HttpResponse json_response(std::string body);
// {"error":"sentence"}
net::HttpResponse error_response(int status, std::string_view sentence);
// InvalidInput 400, Denied 403, NotFound 404, Conflict 409, Retry 503, and 500.
net::HttpResponse error_response(const Error& error);
// {} or the error.
net::HttpResponse done_response(const Status& status);

// The page runs no script but its own, is framed by nobody, and tells nobody where it is.
void add_common_headers(net::HttpResponse& response);

net::Reply reply_now(net::HttpResponse response);

}  // namespace proxima::web
