// SPDX-License-Identifier: Apache-2.0
#include "dataplane/netlink_writer.h"

#include <gtest/gtest.h>

#include "dataplane/netlink_reader.h"

namespace proxima::dataplane {
namespace {

TEST(NetlinkWriter, WhatIsWrittenIsReadBack) {
  NetlinkWriter out;
  out.begin_message({.type = 7, .flags = 0x400, .sequence = 3, .family = 2, .resource = 10});
  out.put(1, "abcde");
  const std::size_t nest = out.open_nest(2);
  out.put_text(1, "name");
  out.put_u32(2, 0x01020304);
  out.close_nest(nest);
  out.put_u64(3, 0x0102030405060708);
  out.end_message();
  out.begin_message({.type = 8, .sequence = 4});
  out.end_message();

  const std::string bytes = out.take();
  std::string_view rest = bytes;
  const auto first = next_message(rest);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->type, 7);
  EXPECT_EQ(first->flags, 0x401);  // with NLM_F_REQUEST
  EXPECT_EQ(first->sequence, 3U);
  EXPECT_EQ(first->payload.substr(0, 4), std::string_view("\x02\x00\x00\x0a", 4));
  const std::string_view attributes = attributes_of(*first);
  EXPECT_EQ(find_bytes(attributes, 1), "abcde");
  const auto inner = find_bytes(attributes, 2);
  ASSERT_TRUE(inner);
  EXPECT_EQ(find_text(*inner, 1), "name");
  EXPECT_EQ(find_u32(*inner, 2), 0x01020304U);
  EXPECT_EQ(find_u64(attributes, 3), 0x0102030405060708U);
  EXPECT_EQ(find_bytes(attributes, 4), std::nullopt);
  const auto second = next_message(rest);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->type, 8);
  EXPECT_EQ(attributes_of(*second), "");
  EXPECT_FALSE(next_message(rest));
}

TEST(NetlinkWriter, NumbersHaveTheirBigEndFirst) {
  NetlinkWriter out;
  out.put_u32(1, 0x01020304);
  EXPECT_EQ(out.take().substr(4), "\x01\x02\x03\x04");
}

TEST(NetlinkWriter, WhatIsCutIsGone) {
  NetlinkWriter out;
  out.put_u32(1, 1);
  const std::size_t size = out.size();
  out.put(2, std::string(1000, 'x'));
  out.cut(size);
  const std::string bytes = out.take();
  EXPECT_EQ(bytes.size(), 8U);
  EXPECT_EQ(find_u32(bytes, 1), 1U);
}

}  // namespace
}  // namespace proxima::dataplane
