// SPDX-License-Identifier: Apache-2.0
#include "apiserver/api_request.h"

#include <boost/json/serialize.hpp>
#include <set>

#include "apiserver/json_indent.h"

namespace proxima::apiserver {
namespace {

constexpr std::size_t kMaxWarnings = 100;

net::Reply reply_with(int status, std::string_view type, std::string body) {
  net::Reply reply;
  reply.response.status = status;
  reply.response.headers.add("Cache-Control", "no-cache, private");
  reply.response.headers.add("Content-Type", std::string(type));
  reply.response.body = std::move(body);
  return reply;
}

// A quoted string of RFC 7234. Control characters would end the header.
std::string warning_header(std::string_view text) {
  std::string out = "299 - \"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

}  // namespace

net::Reply text_reply(int status, std::string text) {
  net::Reply reply = reply_with(status, "text/plain; charset=utf-8", std::move(text));
  reply.response.headers.add("X-Content-Type-Options", "nosniff");
  return reply;
}

net::Reply json_reply(int status, std::string body, bool pretty) {
  if (!pretty) return reply_with(status, "application/json", std::move(body));
  std::string indented;
  JsonIndenter().append(body, indented);
  return reply_with(status, "application/json", std::move(indented));
}

net::Reply error_reply(const StatusError& error, bool pretty) {
  net::Reply reply = json_reply(error.code, boost::json::serialize(to_json(error)) + "\n", pretty);
  if (error.retry_after_seconds)
    reply.response.headers.add("Retry-After", std::to_string(*error.retry_after_seconds));
  return reply;
}

net::Reply stream_reply(std::unique_ptr<net::BodySource> body) {
  net::Reply reply = reply_with(200, "application/json", {});
  reply.stream = std::move(body);
  return reply;
}

void add_warnings(net::Reply& reply, const std::vector<std::string>& warnings) {
  std::set<std::string_view> seen;
  for (const std::string& text : warnings) {
    if (seen.size() == kMaxWarnings) return;
    if (seen.insert(text).second) reply.response.headers.add("Warning", warning_header(text));
  }
}

void warn_first(net::Reply& reply, std::string_view warning) {
  net::HttpHeaders headers;
  headers.add("Warning", warning_header(warning));
  for (const net::HttpHeader& header : reply.response.headers.all())
    headers.add(header.name, header.value);
  reply.response.headers = std::move(headers);
}

net::Reply when_durable(const Store& store, Revision revision, net::Reply reply) {
  if (store.durable() >= revision) return reply;
  reply.ready = [&store, revision] { return store.durable() >= revision || store.failure(); };
  reply.settle = [&store, revision](net::Reply& settled) {
    if (store.durable() >= revision) return;
    settled = error_reply(
        internal_error("the store has stopped writing: " + store.failure().value_or("")), false);
  };
  return reply;
}

}  // namespace proxima::apiserver
