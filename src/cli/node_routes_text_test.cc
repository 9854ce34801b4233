// SPDX-License-Identifier: Apache-2.0
#include "cli/node_routes_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace proxima::cli {
namespace {

constexpr std::string_view kRoutes = R"({"families":[{"family":"IPv4","ports":[
{"namespace":"shop","service":"cart","port":"http","protocol":"TCP",
 "reason":{"code":"same_zone","sentence":"hints keep traffic in zone a","remedy":"add endpoints"},
 "localReason":{"code":"no_local","sentence":"no endpoint is here"},
 "frontends":[{"at":"10.96.0.50:80/TCP","kind":"ClusterIP","fromPods":"cluster",
               "fromNode":"cluster, masqueraded","fromOutside":"drop"},
              {"at":"*:30080/TCP","kind":"NodePort","fromPods":"local","fromNode":"local",
               "fromOutside":"local","takenBy":"shop/basket:http"}],
 "cluster":[{"endpoint":"10.1.2.2:8080","permille":667,"local":true,"zone":"a"},
            {"endpoint":"10.1.3.2:8080","permille":333,"local":false}],
 "local":[]}]},{"family":"IPv6","ports":[]}]})";

TEST(NodeRoutesText, APortIsToldWithReasonAddressesAndShares) {
  const auto text = node_routes_text(kRoutes, {});
  ASSERT_TRUE(text);
  EXPECT_EQ(*text,
            "shop/cart port http/TCP  IPv4\n"
            "  hints keep traffic in zone a (same_zone)\n"
            "  add endpoints\n"
            "  policy Local: no endpoint is here (no_local)\n"
            "  ADDRESS            KIND       FROM PODS                  FROM THE NODE         "
            "FROM OUTSIDE\n"
            "  10.96.0.50:80/TCP  ClusterIP  cluster                    cluster, masqueraded  "
            "drop\n"
            "  *:30080/TCP        NodePort   taken by shop/basket:http\n"
            "  ENDPOINT       ZONE  SHARE  WHERE\n"
            "  10.1.2.2:8080  a     66.7%  on this node\n"
            "  10.1.3.2:8080        33.3%\n");
}

TEST(NodeRoutesText, AFamilyWithoutPortsIsNoAnswer) {
  const auto text = node_routes_text(kRoutes, {.family = IpFamily::V6});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message, "the node proxy routes no such service");
}

TEST(NodeRoutesText, WhatIsNoRoutesIsRefused) {
  for (const char* answer : {"", "ok", "[]", "{}", "{\"families\":", "null"}) {
    const auto text = node_routes_text(answer, {});
    ASSERT_FALSE(text) << answer;
    EXPECT_EQ(text.error().message, "the answer is not what a node proxy tells of its routes");
  }
}

TEST(NodeRoutesText, PartsOfAnotherKindAreLeftOut) {
  const auto text = node_routes_text(
      R"({"families":[7,{"family":"IPv4","ports":[null,{"service":3,"reason":[],"cluster":{}}]}]})",
      {});
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "/ port /  IPv4\n");
}

TEST(NodeRoutesText, SaysWhatIsNotRoutedAndWhy) {
  const auto text = node_routes_text(
      R"({"families":[{"family":"IPv4","ports":[{"namespace":"s","service":"w","port":"p",
          "protocol":"TCP","refused":[{"code":"external_ip_of_node","sentence":"10.0.0.1 is ours",
          "remedy":"use a node port"}]}]}]})",
      {});
  ASSERT_TRUE(text);
  EXPECT_EQ(*text,
            "s/w port p/TCP  IPv4\n"
            "  not routed: 10.0.0.1 is ours (external_ip_of_node)\n"
            "  use a node port\n");
}

TEST(NodeRoutesText, NothingInTheAnswerSteersTheTerminalOrForgesALine) {
  std::string hostile(kRoutes);
  for (const char* word :
       {"shop\"", "cart\"", "http\"", "TCP\"", "same_zone", "zone a", "add endpoints", "no_local",
        "is here", "10.96.0.50", "ClusterIP", "masqueraded", "shop/basket", "10.1.2.2", "IPv4"}) {
    const std::size_t at = hostile.find(word);
    ASSERT_NE(at, std::string::npos) << word;
    hostile.insert(at, R"(\u001b[2J\u009b31m\r\n\u202e)");
  }
  for (const Coloring coloring : {Coloring::Off, Coloring::On}) {
    const auto text = node_routes_text(hostile, {.coloring = coloring});
    ASSERT_TRUE(text);
    const auto harmless = node_routes_text(kRoutes, {.coloring = coloring});
    EXPECT_EQ(std::count(text->begin(), text->end(), '\n'),
              std::count(harmless->begin(), harmless->end(), '\n'));
    EXPECT_EQ(std::count(text->begin(), text->end(), '\x1b'),
              std::count(harmless->begin(), harmless->end(), '\x1b'))
        << "only the colours of the program";
    for (const char* forbidden : {"\r", "\xC2\x9B", "\xE2\x80\xAE"})
      EXPECT_EQ(text->find(forbidden), std::string::npos) << *text;
  }
}

TEST(NodeRoutesDocument, IsTheAnswerInTheAskedFormat) {
  const auto yaml = node_routes_document(R"({"families":[{"family":"IPv4","ports":[]}]})",
                                         report::DocumentFormat::Yaml);
  ASSERT_TRUE(yaml);
  EXPECT_NE(yaml->find("family: IPv4"), std::string::npos) << *yaml;
}

}  // namespace
}  // namespace proxima::cli
