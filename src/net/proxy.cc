// SPDX-License-Identifier: Apache-2.0
#include "net/proxy.h"

#include <openssl/evp.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/ip_address.h"
#include "net/http_parser.h"
#include "net/http_wire.h"

namespace proxima::net {

namespace {

std::string base64(std::string_view text) {
  std::string encoded((text.size() + 2) / 3 * 4 + 1, '\0');  // with the NUL that OpenSSL writes
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  encoded.resize(static_cast<std::size_t>(size));
  return encoded;
}

Error refused(const Url& proxy, std::string_view why) {
  return {ErrorCode::Retry, "proxy " + proxy.authority() + ": " + std::string(why)};
}

Result<int> read_status(ClientConnection& connection, const Url& proxy, Deadline deadline) {
  HttpParser parser(Message::ResponseWithoutBody);
  while (!parser.complete()) {
    auto parsed = parser.put(connection.input().view());
    if (!parsed) return refused(proxy, parsed.error().message);
    connection.input().consume(parsed->consumed);
    if (!parsed->need_more) continue;
    PROXIMA_TRY(const std::size_t count, connection.read(deadline), "proxy");
    if (count == 0) return refused(proxy, "closed the connection");
  }
  return parser.head().status;
}

// Exactly `count` bytes.
Result<std::string> read_bytes(ClientConnection& connection, std::size_t count, Deadline deadline) {
  while (connection.input().size() < count) {
    PROXIMA_TRY(const std::size_t more, connection.read(deadline), "proxy");
    if (more == 0) return Error{ErrorCode::Retry, "proxy: closed the connection"};
  }
  std::string bytes(connection.input().view().substr(0, count));
  connection.input().consume(count);
  return bytes;
}

std::string_view socks_problem(char code) {
  static constexpr std::string_view kProblems[] = {
      "",
      "general failure",
      "connection not allowed",
      "network unreachable",
      "host unreachable",
      "connection refused",
      "time to live expired",
      "command not supported",
      "address type not supported",
  };
  const auto index = static_cast<unsigned char>(code);
  return index < std::size(kProblems) ? kProblems[index] : "unknown failure";
}

void append_counted(std::string& out, std::string_view text) {
  out.push_back(static_cast<char>(text.size()));
  out += text;
}

std::string socks_address(const Url& origin) {
  std::string bytes;
  if (const auto address = IpAddress::parse(origin.host)) {
    const bool v4 = address->family() == IpFamily::V4;
    bytes.push_back(v4 ? '\x01' : '\x04');
    bytes.append(reinterpret_cast<const char*>(address->bytes().data()), v4 ? 4 : 16);
  } else {
    bytes.push_back('\x03');
    append_counted(bytes, origin.host);
  }
  bytes.push_back(static_cast<char>(origin.port >> 8U));
  bytes.push_back(static_cast<char>(origin.port & 255U));
  return bytes;
}

Status authenticate(ClientConnection& connection, const Url& proxy, Deadline deadline) {
  std::string message = "\x01";
  append_counted(message, proxy.user);
  append_counted(message, proxy.password);
  if (auto status = connection.write(message, deadline); !status) return status;
  PROXIMA_TRY(const std::string answer, read_bytes(connection, 2, deadline), "SOCKS");
  if (answer[1] != 0) return refused(proxy, "the user or the password is wrong");
  return Unit{};
}

Status agree_on_method(ClientConnection& connection, const Url& proxy, Deadline deadline) {
  using namespace std::string_view_literals;
  const auto offer = proxy.user.empty() ? "\x05\x01\x00"sv : "\x05\x02\x00\x02"sv;
  if (auto status = connection.write(offer, deadline); !status) return status;
  PROXIMA_TRY(const std::string answer, read_bytes(connection, 2, deadline), "SOCKS");
  if (answer[0] != 5) return refused(proxy, "does not speak SOCKS 5");
  if (answer[1] == 0) return Unit{};
  if (answer[1] == 2 && !proxy.user.empty()) return authenticate(connection, proxy, deadline);
  return refused(proxy, "wants to know who we are");
}

// The address that the proxy bound says nothing to us, but it must be read.
Status skip_bound_address(ClientConnection& connection, char type, Deadline deadline) {
  std::size_t size = type == 1 ? 4 : 16;
  if (type == 3) {
    PROXIMA_TRY(const std::string length, read_bytes(connection, 1, deadline), "SOCKS");
    size = static_cast<unsigned char>(length[0]);
  }
  auto rest = read_bytes(connection, size + 2, deadline);
  if (!rest) return std::move(rest).error();
  return Unit{};
}

}  // namespace

std::string proxy_credentials(const Url& proxy) {
  if (proxy.user.empty()) return {};
  return "Basic " + base64(proxy.user + ":" + proxy.password);
}

Status open_tunnel(ClientConnection& connection, const Url& proxy, const Url& origin,
                   Deadline deadline) {
  HttpHeaders headers;
  const std::string credentials = proxy_credentials(proxy);
  if (!credentials.empty()) headers.add("Proxy-Authorization", credentials);
  const std::string where = origin.authority();
  std::string text;
  append_head(text, {.method = "CONNECT", .target = where, .host = where}, headers);
  if (auto status = connection.write(text, deadline); !status) return status;
  PROXIMA_TRY(const int status, read_status(connection, proxy, deadline),
              "connect to " + origin.authority());
  if (status / 100 != 2) {
    return refused(proxy, "connect to " + origin.authority() + ": answered " +
                              std::to_string(status) + " " + std::string(status_name(status)));
  }
  return Unit{};
}

Status open_socks(ClientConnection& connection, const Url& proxy, const Url& origin,
                  Deadline deadline) {
  using namespace std::string_literals;
  constexpr std::size_t kNameMax = 255;
  if (std::max({origin.host.size(), proxy.user.size(), proxy.password.size()}) > kNameMax) {
    return refused(proxy, "a name is too long for SOCKS");
  }
  if (auto status = agree_on_method(connection, proxy, deadline); !status) return status;
  const std::string request = "\x05\x01\x00"s + socks_address(origin);
  if (auto status = connection.write(request, deadline); !status) return status;
  PROXIMA_TRY(const std::string answer, read_bytes(connection, 4, deadline), "SOCKS");
  if (answer[1] != 0) {
    return refused(
        proxy, "connect to " + origin.authority() + ": " + std::string(socks_problem(answer[1])));
  }
  return skip_bound_address(connection, answer[3], deadline);
}

}  // namespace proxima::net
