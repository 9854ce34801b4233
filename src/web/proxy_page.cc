// SPDX-License-Identifier: Apache-2.0
#include "web/proxy_page.h"

#include "net/http_client.h"

namespace proxima::web {
namespace {

constexpr net::Deadlines kDeadlines = {.connect = std::chrono::seconds(2),
                                       .answer = std::chrono::seconds(5),
                                       .idle = std::chrono::seconds(5)};

}  // namespace

std::string proxy_origin(const std::string& address, std::uint16_t port) {
  const bool is_v6 = address.find(':') != std::string::npos;
  return "http://" + (is_v6 ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

Result<std::string> fetch(const ProxyPage& page, const net::Cancellation& stop) {
  net::HttpClientOptions options;
  options.origin = page.origin;
  PROXIMA_TRY(const auto client, net::HttpClient::create(std::move(options)), page.origin);
  net::HttpRequest request;
  request.target = page.path;
  auto answer = net::fetch(*client, request, kDeadlines, stop);
  const std::string who = "the proxy of " + page.node + " at " + page.origin;
  if (!answer) return std::move(answer).error().in(who);
  if (answer->status == 200) return std::move(answer->body);
  if (answer->status == 404) return Error{ErrorCode::NotFound, who + " has no " + page.path};
  return Error{ErrorCode::Retry, who + " answered " + std::to_string(answer->status)};
}

}  // namespace proxima::web
