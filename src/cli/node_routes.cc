// SPDX-License-Identifier: Apache-2.0
#include "cli/node_routes.h"

#include "base/ip_address.h"
#include "cli/text_file.h"
#include "net/http_client.h"

namespace proxima::cli {
namespace {

constexpr net::Deadlines kRoutesDeadlines = {.connect = std::chrono::seconds(5),
                                             .answer = std::chrono::seconds(30),
                                             .idle = std::chrono::seconds(30),
                                             .total = std::chrono::seconds(60)};

bool is_ipv6(std::string_view text) {
  const auto address = IpAddress::parse(text);
  return address && address->family() == IpFamily::V6;
}

bool has_port(std::string_view host) {
  if (host.starts_with('[')) return !host.ends_with(']');
  return host.find(':') != std::string_view::npos;
}

}  // namespace

Result<std::string> node_proxy_origin(std::string_view address) {
  return component_origin(address, {.flag = "--node", .port = ":10249"});
}

Result<std::string> component_origin(std::string_view address, const ComponentPort& usual) {
  constexpr std::string_view kScheme = "http://";
  const std::string flag(usual.flag);
  if (address.empty()) return Error{ErrorCode::InvalidInput, flag + ": an address is needed"};
  if (address.find('/') != std::string_view::npos) {
    const bool is_url = address.starts_with(kScheme) || address.starts_with("https://");
    if (is_url) return std::string(address);
    return Error{ErrorCode::InvalidInput,
                 flag + ": \"" + std::string(address) + "\" is neither HOST, HOST:PORT nor a URL"};
  }
  std::string host(address);
  if (is_ipv6(address)) host = "[" + host + "]";
  if (!has_port(host)) host += usual.port;
  return std::string(kScheme) + host;
}

Result<std::string> fetch_node_routes(const NodeRoutesQuestion& question) {
  net::HttpClientOptions options;
  options.origin = question.origin;
  PROXIMA_TRY(const auto client, net::HttpClient::create(std::move(options)), question.origin);
  net::HttpRequest request;
  request.target = "/debug/routes?service=" + question.ns + "/" + question.service;
  if (!question.token_file.empty()) {
    PROXIMA_TRY(std::string token, read_text_file(question.token_file), "--node-token-file");
    token.erase(token.find_last_not_of(" \t\r\n") + 1);
    request.headers.add("Authorization", "Bearer " + token);
  }
  const net::Cancellation never;
  PROXIMA_TRY(auto answer, net::fetch(*client, request, kRoutesDeadlines, never),
              "the node proxy at " + question.origin);
  if (answer.status == 200) return std::move(answer.body);
  if (answer.status == 401)
    return Error{ErrorCode::Denied,
                 "the node proxy at " + question.origin + " wants a token: --node-token-file"};
  return Error{ErrorCode::NotFound, "the node proxy at " + question.origin + " answered " +
                                        std::to_string(answer.status) + " to " + request.target};
}

}  // namespace proxima::cli
