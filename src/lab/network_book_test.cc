// SPDX-License-Identifier: Apache-2.0
#include "lab/network_book.h"

#include <gtest/gtest.h>

#include <set>

namespace proxima::lab {
namespace {

std::string v4(const Result<Cable>& cable) { return cable.value().far_host.v4.text(); }
std::string v6(const Result<Cable>& cable) { return cable.value().far_host.v6.text(); }

TEST(NetworkBook, GivesNodesAndPodsTheAddressesOfTheirNumbers) {
  NetworkBook book;
  const auto node = book.add_node("a");
  EXPECT_EQ(v4(node), "192.168.1.2");
  EXPECT_EQ(v6(node), "fd00:192:168:1::2");
  const auto pod = book.add_pod("a", "shop/web-1");
  EXPECT_EQ(v4(pod), "10.180.1.10");
  EXPECT_EQ(v6(pod), "fd00:10:180:1::10");
  EXPECT_EQ(v4(book.add_node("b")), "192.168.2.2");
  EXPECT_EQ(v4(book.add_pod("b", "shop/web-2")), "10.180.2.10");
}

TEST(NetworkBook, ANewPodDoesNotGetTheAddressOfOneThatJustLeft) {
  NetworkBook book;
  ASSERT_TRUE(book.add_node("a"));
  std::set<std::string> seen;
  for (std::size_t i = 0; i < kHostNumberMax; ++i) {
    EXPECT_TRUE(seen.insert(v4(book.add_pod("a", "pod"))).second) << i;
    ASSERT_TRUE(book.remove_pod("pod"));
  }
  EXPECT_EQ(v4(book.add_pod("a", "pod")), "10.180.1.10");
}

TEST(NetworkBook, ANewNodeDoesNotGetTheAddressesOfOneThatJustLeft) {
  NetworkBook book;
  ASSERT_TRUE(book.add_node("a"));
  ASSERT_TRUE(book.remove_node("a"));
  EXPECT_EQ(v4(book.add_node("a")), "192.168.2.2");
}

TEST(NetworkBook, ANodeGoesWithItsPods) {
  NetworkBook book;
  ASSERT_TRUE(book.add_node("a"));
  ASSERT_TRUE(book.add_pod("a", "x"));
  ASSERT_TRUE(book.add_pod("a", "y"));
  EXPECT_EQ(book.remove_node("a").value(), (std::vector<std::string>{"x", "y", "a"}));
  ASSERT_TRUE(book.add_node("b"));
  EXPECT_TRUE(book.add_pod("b", "x"));
}

TEST(NetworkBook, SaysWhereThePodsCableWas) {
  NetworkBook book;
  ASSERT_TRUE(book.add_node("a"));
  ASSERT_TRUE(book.add_pod("a", "x"));
  ASSERT_TRUE(book.add_pod("a", "y"));
  const auto place = book.remove_pod("y");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->node, "a");
  EXPECT_EQ(place->device, "pod2");
}

struct BookRefusal {
  const char* name;
  Error (*refused)(NetworkBook&);
  ErrorCode code;
  const char* message;
};

TEST(NetworkBook, RefusesWhatCannotBe) {
  const BookRefusal rows[] = {
      {"a node twice", [](NetworkBook& book) { return book.add_node("a").error(); },
       ErrorCode::InvalidInput, "add node: the lab has a host a already"},
      {"a node called as a Pod is", [](NetworkBook& book) { return book.add_node("x").error(); },
       ErrorCode::InvalidInput, "add node: the lab has a host x already"},
      {"a second router", [](NetworkBook& book) { return book.add_node("router").error(); },
       ErrorCode::InvalidInput, "add node: the lab has a host router already"},
      {"no name", [](NetworkBook& book) { return book.add_pod("a", "").error(); },
       ErrorCode::InvalidInput, "add Pod: a host of the lab needs a name"},
      {"a Pod nowhere", [](NetworkBook& book) { return book.add_pod("b", "y").error(); },
       ErrorCode::NotFound, "add Pod y: the lab has no node b"},
      {"no such node", [](NetworkBook& book) { return book.remove_node("b").error(); },
       ErrorCode::NotFound, "the lab has no node b"},
      {"no such Pod", [](NetworkBook& book) { return book.remove_pod("y").error(); },
       ErrorCode::NotFound, "the lab has no Pod y"},
  };
  for (const BookRefusal& row : rows) {
    NetworkBook book;
    ASSERT_TRUE(book.add_node("a"));
    ASSERT_TRUE(book.add_pod("a", "x"));
    const Error error = row.refused(book);
    EXPECT_EQ(error.code, row.code) << row.name;
    EXPECT_EQ(error.message, row.message) << row.name;
  }
}

TEST(NetworkBook, HasRoomForSoManyAndNoMore) {
  NetworkBook book;
  for (std::size_t i = 0; i < kLabNodesMax; ++i)
    ASSERT_TRUE(book.add_node("node-" + std::to_string(i)));
  EXPECT_EQ(book.add_node("more").error().code, ErrorCode::InvalidInput);
  for (std::size_t i = 0; i < kLabPodsOfANodeMax; ++i)
    ASSERT_TRUE(book.add_pod("node-0", "pod-" + std::to_string(i)));
  EXPECT_EQ(book.add_pod("node-0", "more").error().code, ErrorCode::InvalidInput);
}

}  // namespace
}  // namespace proxima::lab
