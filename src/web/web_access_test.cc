// SPDX-License-Identifier: Apache-2.0
#include "web/web_access.h"

#include <gtest/gtest.h>

namespace proxima::web {
namespace {

TEST(WebAccess, AHostIsOursOrNot) {
  struct Row {
    const char* host;
    bool own;
  };
  const Row rows[] = {
      {"127.0.0.1:41234", true},
      {"127.0.0.1", true},
      {"localhost:8080", true},
      {"LOCALHOST", true},
      {"[::1]:80", true},
      {"10.1.2.3:80", true},
      {"proxima.example", true},
      {"evil.example:41234", false},
      {"", false},
      {":80", false},
      {"[::1", false},
      {"[::1]x", false},
      {"127.0.0.1.evil", false},
      {"localhost.evil.example", false},
  };
  for (const Row& row : rows)
    EXPECT_EQ(is_own_host(row.host, {"proxima.example"}), row.own) << row.host;
}

TEST(WebAccess, ATokenStandsInACookieOrAHeader) {
  struct Row {
    const char* name;
    const char* header;
    const char* value;
    std::optional<std::string> token;
  };
  const Row rows[] = {
      {"the cookie", "Cookie", "proxima_token_80=abc", "abc"},
      {"among others", "Cookie", "a=b; proxima_token_80=abc; c=d", "abc"},
      {"a longer name is another", "Cookie", "xproxima_token_80=abc", std::nullopt},
      {"the cookie of another port", "Cookie", "proxima_token_8080=abc", std::nullopt},
      {"not a cookie", "Cookie", "proxima_token_80", std::nullopt},
      {"a header", "Authorization", "Bearer abc", "abc"},
      {"another scheme", "Authorization", "Basic abc", std::nullopt},
      {"nothing", "Accept", "*/*", std::nullopt},
  };
  for (const Row& row : rows) {
    net::HttpRequest request;
    request.headers.add(row.header, row.value);
    EXPECT_EQ(token_of(request, 80), row.token) << row.name;
  }
}

TEST(WebAccess, TheCookieIsForThisSiteAndNoScript) {
  EXPECT_EQ(token_cookie({.token = "abc", .port = 80}),
            "proxima_token_80=abc; Path=/; HttpOnly; SameSite=Strict");
  EXPECT_EQ(token_cookie({.token = "abc", .port = 443, .over_tls = true}),
            "proxima_token_443=abc; Path=/; HttpOnly; SameSite=Strict; Secure");
}

}  // namespace
}  // namespace proxima::web
