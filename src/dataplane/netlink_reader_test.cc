// SPDX-License-Identifier: Apache-2.0
#include "dataplane/netlink_reader.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "dataplane/nft_decode.h"
#include "dataplane/nft_decode_rule.h"
#include "dataplane/nft_encode.h"
#include "support/nft_sample.h"

namespace proxima::dataplane {
namespace {

using namespace std::string_literals;

struct AttributeRow {
  const char* name;
  std::string bytes;
  int read;  // attributes before the reading ends
};

const AttributeRow kRows[] = {
    {"nothing", "", 0},
    {"a header that is cut", "\x08\x00\x01"s, 0},
    {"a length of less than the header", "\x03\x00\x01\x00"s, 0},
    {"a length of nothing at all", "\x00\x00\x01\x00\x00\x00\x01\x00"s, 0},
    {"a length beyond the end", "\x09\x00\x01\x00zzzz"s, 0},
    {"no bytes", "\x04\x00\x01\x00"s, 1},
    {"the last one is not filled up", "\x05\x00\x01\x00z"s, 1},
    {"two", "\x05\x00\x01\x00z\x00\x00\x00\x04\x00\x02\x00"s, 2},
    {"a good one and a bad one", "\x05\x00\x01\x00z\x00\x00\x00\xff\xff\x02\x00"s, 1},
};

TEST(NetlinkReader, ALengthThatDoesNotFitEndsTheReading) {
  for (const AttributeRow& row : kRows) {
    std::string_view rest = row.bytes;
    int read = 0;
    while (next_attribute(rest)) ++read;
    EXPECT_EQ(read, row.read) << row.name;
  }
}

TEST(NetlinkReader, ANumberOfAnotherWidthIsNone) {
  EXPECT_EQ(find_u32("\x06\x00\x01\x00zz\x00\x00"s, 1), std::nullopt);
  EXPECT_EQ(find_u64("\x08\x00\x01\x00zzzz"s, 1), std::nullopt);
}

TEST(NetlinkReader, TheBitsForNestsAreNotPartOfAType) {
  EXPECT_EQ(find_bytes("\x04\x00\x01\x80"s, 1), "");
  EXPECT_EQ(find_bytes("\x04\x00\x01\x40"s, 1), "");
}

// Everything that decodes gets every message: it must end, and look at no byte outside.
std::size_t decode_everything(std::string_view bytes) {
  std::size_t values = 0;
  std::vector<NftElement> elements;
  while (const auto message = next_message(bytes)) {
    const std::string_view attributes = attributes_of(*message);
    for (const IpFamily family : {IpFamily::V4, IpFamily::V6}) {
      values += decode_rule(attributes, family).steps.size();
      values += decode_set(attributes, family).key.size();
    }
    values += decode_chain(attributes).name.size();
    decode_elements(attributes, elements);
  }
  return values + elements.size();
}

TEST(NetlinkReader, BrokenMessagesAreReadWithoutHarm) {
  const NftBatch batch = encode_transaction(test::NftSample{}.transaction());
  const std::size_t whole = decode_everything(batch.bytes);
  EXPECT_GT(whole, 100U);
  constexpr std::uint32_t kSeed = 20261116;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 5000; ++round) {
    std::string bytes = batch.bytes;
    for (unsigned i = 0; i < 1 + random() % 4; ++i) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    bytes.resize(random() % (bytes.size() + 1));
    bytes.shrink_to_fit();
    EXPECT_LE(decode_everything(bytes), 10 * whole) << "seed " << kSeed << " round " << round;
  }
}

}  // namespace
}  // namespace proxima::dataplane
