// SPDX-License-Identifier: Apache-2.0
#include "net/url.h"

#include <gtest/gtest.h>

namespace proxima::net {
namespace {

std::string shown(const Url& url) {
  const std::string user = url.user.empty() ? "" : url.user + "/" + url.password + "@";
  return url.scheme + " " + user + url.authority() + " " + url.host_header() + " " + url.path;
}

TEST(ParseUrl, ReadsWhatAConnectionNeeds) {
  const std::pair<const char*, const char*> rows[] = {
      {"https://10.0.0.1:6443", "https 10.0.0.1:6443 10.0.0.1:6443 "},
      {"https://example.com", "https example.com:443 example.com "},
      {"http://example.com/", "http example.com:80 example.com "},
      {"HTTPS://Example.COM:443/k8s/clusters/c-1/",
       "https example.com:443 example.com /k8s/clusters/c-1"},
      {"https://[::1]:6443/x", "https [::1]:6443 [::1]:6443 /x"},
      {"https://[2001:DB8::0:1]", "https [2001:db8::1]:443 [2001:db8::1] "},
      {"http://bob:p%40ss:w@proxy:3128", "http bob/p@ss:w@proxy:3128 proxy:3128 "},
      {"socks5://proxy", "socks5 proxy:1080 proxy "},
      {"http://a_b-c.d", "http a_b-c.d:80 a_b-c.d "},
  };
  for (const auto& [text, expected] : rows) {
    const auto url = parse_url(text);
    ASSERT_TRUE(url) << text << ": " << url.error().message;
    EXPECT_EQ(shown(*url), expected) << text;
  }
}

TEST(ParseUrl, RefusesWithoutRepeatingSecrets) {
  const char* rows[] = {
      "",
      "example.com",
      "ftp://example.com",
      "https://",
      "https://:443",
      "https://a b",
      "https://host:0",
      "https://host:65536",
      "https://host:-1",
      "https://host:",
      "https://[::1",
      "https://[1.2.3.4]",
      "https://[::1]x",
      "https://host/?secret=1",
      "https://host/#secret",
      "https://host/a b",
      "https://bob:secret%zz@host",
      "https://bob:secret@ho st",
  };
  for (const char* text : rows) {
    const auto url = parse_url(text);
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().message.find("secret"), std::string::npos) << url.error().message;
  }
}

}  // namespace
}  // namespace proxima::net
