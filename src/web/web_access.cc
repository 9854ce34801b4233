// SPDX-License-Identifier: Apache-2.0
#include "web/web_access.h"

#include <algorithm>

#include "base/ip_address.h"

namespace proxima::web {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// "[::1]:80" → "::1", "localhost:80" → "localhost"; nullopt: it is neither.
std::optional<std::string_view> without_port(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view rest = host.substr(end + 1);
    if (!rest.empty() && rest[0] != ':') return std::nullopt;
    return host.substr(1, end - 1);
  }
  return host.substr(0, host.find(':'));
}

std::optional<std::string> cookie_value(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    const std::string_view one = trimmed(cookies.substr(0, cookies.find(';')));
    cookies.remove_prefix(std::min(cookies.size(), cookies.find(';')));
    if (cookies.starts_with(';')) cookies.remove_prefix(1);
    const std::size_t equals = one.find('=');
    if (equals != std::string_view::npos && one.substr(0, equals) == name)
      return std::string(one.substr(equals + 1));
  }
  return std::nullopt;
}

}  // namespace

bool is_own_host(std::string_view host, const std::vector<std::string>& names) {
  const auto name = without_port(host);
  if (!name || name->empty()) return false;
  if (IpAddress::parse(*name)) return true;
  if (net::same_header_name(*name, "localhost")) return true;
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& one) { return net::same_header_name(*name, one); });
}

std::optional<std::string> token_of(const net::HttpRequest& request, std::uint16_t port) {
  constexpr std::string_view kBearer = "Bearer ";
  if (const auto header = request.headers.find("Authorization"))
    if (header->starts_with(kBearer)) return std::string(trimmed(header->substr(kBearer.size())));
  const std::string name = token_cookie_name(port);
  for (const net::HttpHeader& header : request.headers.all()) {
    if (!net::same_header_name(header.name, "Cookie")) continue;
    if (auto value = cookie_value(header.value, name)) return value;
  }
  return std::nullopt;
}

std::string token_cookie_name(std::uint16_t port) {
  return "proxima_token_" + std::to_string(port);
}

std::string token_cookie(const TokenCookie& cookie) {
  return token_cookie_name(cookie.port)
      .append("=")
      .append(cookie.token)
      .append("; Path=/; HttpOnly; SameSite=Strict")
      .append(cookie.over_tls ? "; Secure" : "");
}

}  // namespace proxima::web
