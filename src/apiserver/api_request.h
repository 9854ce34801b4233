// SPDX-License-Identifier: Apache-2.0
// A request for objects, understood: what it names, what it wants and in which form; and the
// answers that all handlers give.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/content_negotiation.h"
#include "apiserver/request_options.h"
#include "apiserver/resource_path.h"
#include "apiserver/status_error.h"
#include "apiserver/store.h"
#include "net/http_server.h"

namespace proxima::apiserver {

struct ApiRequest {
  const net::HttpRequest& http;
  ResourcePath path;
  RequestQuery query;
  Representation representation;
};

net::Reply text_reply(int status, std::string text);
// `body` is compact JSON.
net::Reply json_reply(int status, std::string body, bool pretty);
net::Reply error_reply(const StatusError& error, bool pretty);
// A list or a watch.
net::Reply stream_reply(std::unique_ptr<net::BodySource> body);
// Warning headers.
void add_warnings(net::Reply& reply, const std::vector<std::string>& warnings);
// One that comes before those that are there.
void warn_first(net::Reply& reply, std::string_view warning);
// The answer is not sent before everything up to `revision` is durable: nobody hears of what a
// crash could take back. When the store fails first, an error is sent instead.
net::Reply when_durable(const Store& store, Revision revision, net::Reply reply);

}  // namespace proxima::apiserver
