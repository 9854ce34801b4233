// SPDX-License-Identifier: Apache-2.0
#include "net/url.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/ip_address.h"
#include "net/http_message.h"

namespace proxima::net {

namespace {

// The text is not part of the message: a proxy's URL holds a password.
Error refused(std::string_view why) {
  return {ErrorCode::InvalidInput, "URL: " + std::string(why)};
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

std::optional<std::uint16_t> default_port(std::string_view scheme) {
  if (scheme == "http") return std::uint16_t{80};
  if (scheme == "https") return std::uint16_t{443};
  if (scheme == "socks5") return std::uint16_t{1080};
  return std::nullopt;
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return port;
}

bool is_host_byte(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '-' ||
         byte == '.' || byte == '_';
}

Status read_user(Url& url, std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  auto user = percent_decode(text.substr(0, colon), PlusSign::Itself);
  auto password = percent_decode(text.substr(std::min(colon + 1, text.size())), PlusSign::Itself);
  if (!user || !password) return refused("the user or the password has a broken escape");
  url.user = std::move(*user);
  url.password = std::move(*password);
  return Unit{};
}

// Leaves what follows the host.
Status read_host(Url& url, std::string_view& text) {
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return refused("a bracket is not closed");
    const auto address = IpAddress::parse(text.substr(1, end - 1));
    if (!address || address->family() != IpFamily::V6) {
      return refused("what stands in brackets is not an IPv6 address");
    }
    url.host = address->text();
    text.remove_prefix(end + 1);
    return Unit{};
  }
  const std::size_t end = std::min(text.find(':'), text.size());
  url.host = in_lower_case(text.substr(0, end));
  text.remove_prefix(end);
  if (url.host.empty()) return refused("there is no host");
  if (!std::all_of(url.host.begin(), url.host.end(), is_host_byte)) {
    return refused("the host has a character that no host name has");
  }
  return Unit{};
}

Status read_authority(Url& url, std::string_view text) {
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
    if (auto status = read_user(url, text.substr(0, at)); !status) return status;
    text.remove_prefix(at + 1);
  }
  if (auto status = read_host(url, text); !status) return status;
  if (text.empty()) return Unit{};
  const auto port = text.starts_with(':') ? parse_port(text.substr(1)) : std::nullopt;
  if (!port || *port == 0) return refused("the port is not a number from 1 to 65535");
  url.port = *port;
  return Unit{};
}

bool is_path_byte(char byte) { return byte > ' ' && byte < '\x7f' && byte != '?' && byte != '#'; }

}  // namespace

std::string Url::authority() const {
  const bool brackets = host.find(':') != std::string::npos;
  return (brackets ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::string Url::host_header() const {
  const std::string full = authority();
  return port == default_port(scheme) ? full.substr(0, full.rfind(':')) : full;
}

Result<Url> parse_url(std::string_view text) {
  const std::size_t scheme_end = text.find("://");
  if (scheme_end == std::string_view::npos) return refused("there is no scheme");
  Url url;
  url.scheme = in_lower_case(text.substr(0, scheme_end));
  const auto port = default_port(url.scheme);
  if (!port) return refused("the scheme is none of http, https and socks5");
  url.port = *port;
  text.remove_prefix(scheme_end + 3);
  const std::size_t path = std::min(text.find_first_of("/?#"), text.size());
  if (auto status = read_authority(url, text.substr(0, path)); !status) {
    return std::move(status).error();
  }
  url.path = text.substr(path);
  if (!std::all_of(url.path.begin(), url.path.end(), is_path_byte)) {
    return refused("the path has a query, a fragment or a character that must be escaped");
  }
  while (url.path.ends_with('/')) url.path.pop_back();
  return url;
}

}  // namespace proxima::net
