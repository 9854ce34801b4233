// SPDX-License-Identifier: Apache-2.0
#include "archive/tar_header.h"

#include <gtest/gtest.h>

#include <functional>

namespace proxima::archive {
namespace {

std::string header(std::string_view name = "a.json", std::uint64_t bytes = 5) {
  return render_tar_header(name, bytes, WallTime(std::chrono::seconds(1'700'000'000)));
}

// With the checksum that the block has by now.
std::string with_checksum(std::string block) {
  block.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  for (std::size_t i = 154; i-- > 148; sum /= 8) block[i] = static_cast<char>('0' + sum % 8);
  block[154] = '\0';
  return block;
}

TEST(TarHeader, WhatIsWrittenIsReadAgain) {
  const std::string name(kWrittenNameBytesMax, 'n');
  const auto read = parse_tar_header(header(name, 123'456'789));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->name, name);
  EXPECT_EQ(read->bytes, 123'456'789U);
  EXPECT_EQ(read->kind, TarHeader::Kind::File);
}

TEST(TarHeader, IsForItsOwnerAlone) {
  EXPECT_EQ(header().substr(100, 8), std::string("0000600\0", 8));
}

TEST(TarHeader, ReadsWhatOtherProgramsWrite) {
  const struct {
    const char* what;
    std::function<void(std::string&)> change;
    std::string name;
    std::uint64_t bytes;
    TarHeader::Kind kind;
  } cases[] = {
      {"a file of the oldest kind", [](std::string& b) { b[156] = '\0'; }, "a.json", 5,
       TarHeader::Kind::File},
      {"a folder", [](std::string& b) { b[156] = '5'; }, "a.json", 5, TarHeader::Kind::Other},
      {"a symbolic link", [](std::string& b) { b[156] = '2'; }, "a.json", 5,
       TarHeader::Kind::Other},
      {"a long name of GNU tar", [](std::string& b) { b[156] = 'L'; }, "a.json", 5,
       TarHeader::Kind::LongName},
      {"attributes of POSIX", [](std::string& b) { b[156] = 'x'; }, "a.json", 5,
       TarHeader::Kind::Attributes},
      {"a prefix of POSIX", [](std::string& b) { b.replace(345, 4, "deep"); }, "deep/a.json", 5,
       TarHeader::Kind::File},
      {"what GNU tar has in the place of a prefix",
       [](std::string& b) {
         b.replace(257, 8, std::string("ustar  \0", 8));
         b.replace(345, 4, "1234");
       },
       "a.json", 5, TarHeader::Kind::File},
      {"blanks around a size", [](std::string& b) { b.replace(124, 12, "       17   "); }, "a.json",
       15, TarHeader::Kind::File},
      {"no size", [](std::string& b) { b.replace(124, 12, std::string(12, '\0')); }, "a.json", 0,
       TarHeader::Kind::File},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    std::string block = header();
    c.change(block);
    const auto read = parse_tar_header(with_checksum(block));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->name, c.name);
    EXPECT_EQ(read->bytes, c.bytes);
    EXPECT_EQ(read->kind, c.kind);
  }
}

TEST(TarHeader, RefusesWhatIsNone) {
  std::string wrong_sum = header();
  wrong_sum[0] = 'b';
  std::string base_256 = header();
  base_256.replace(124, 12, std::string("\x80\0\0\0\0\0\0\0\0\0\0\x05", 12));
  std::string letters = header();
  letters.replace(124, 12, "00000000zz5 ");
  const struct {
    const char* what;
    std::string block;
    const char* message;
  } cases[] = {
      {"another byte than was summed", wrong_sum, "a header with a wrong checksum"},
      {"a size in base 256", with_checksum(base_256), "size: a header without a number"},
      {"a size in letters", with_checksum(letters), "size: a header without a number"},
      {"a text", std::string(kTarBlockBytes, 'x'), "checksum: a header without a number"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    const auto read = parse_tar_header(c.block);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message, c.message);
  }
}

TEST(TarHeader, ContentsAreFilledUpToWholeBlocks) {
  EXPECT_EQ(tar_padding(0), 0U);
  EXPECT_EQ(tar_padding(1), 511U);
  EXPECT_EQ(tar_padding(512), 0U);
  EXPECT_EQ(tar_padding(513), 511U);
}

}  // namespace
}  // namespace proxima::archive
