// SPDX-License-Identifier: Apache-2.0
#include "web/proxy_page.h"

#include <fstream>

#include "net/http_client.h"

namespace proxima::web {
namespace {

// Its first line.
Result<std::string> read_token(const std::string& file) {
  std::ifstream in(file);
  std::string token;
  if (!std::getline(in, token) || token.empty())
    return Error{ErrorCode::Retry, "no token can be read from " + file};
  return token;
}

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
  if (!page.token_file.empty()) {
    PROXIMA_TRY(const std::string token, read_token(page.token_file), page.origin);
    request.headers.add("Authorization", "Bearer " + token);
  }
  const net::Deadlines deadlines{.connect = std::chrono::seconds(2),
                                 .answer = page.time,
                                 .idle = page.time,
                                 .total = page.time};
  auto answer = net::fetch(*client, request, deadlines, stop, page.bytes_max);
  const std::string who = "the proxy of " + page.node + " at " + page.origin;
  if (!answer) return std::move(answer).error().in(who);
  if (answer->status == 200) return std::move(answer->body);
  if (answer->status == 404) return Error{ErrorCode::NotFound, who + " has no " + page.path};
  if (answer->status == 401 || answer->status == 403)
    return Error{ErrorCode::Denied, who + " denies access to " + page.path + " (" +
                                        std::to_string(answer->status) + ")"};
  return Error{ErrorCode::Retry, who + " answered " + std::to_string(answer->status)};
}

}  // namespace proxima::web
