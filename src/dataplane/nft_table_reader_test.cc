// SPDX-License-Identifier: Apache-2.0
// What a kernel holds, read back. Every test has a network namespace of its own.
#include "dataplane/nft_table_reader.h"

#include <gtest/gtest.h>

#include <atomic>
#include <iterator>
#include <thread>

#include "dataplane/nft_socket.h"
#include "support/nft_sample.h"
#include "support/own_network.h"
#include "support/run_program.h"

namespace proxima::dataplane {
namespace {

using test::in_own_network;
using test::NftSample;
using test::run_program;

NftTableContent modelled(const NftSample& sample) {
  NftTable table(sample.family);
  EXPECT_TRUE(table.apply(sample.transaction()));
  return table.content();
}

// The content of the table "sample", which is there.
NftTableContent read_sample(NftSocket& socket, IpFamily family) {
  Result<std::optional<NftTableContent>> content = socket.read_table(family, "sample");
  if (!content || !*content) {
    ADD_FAILURE() << (content ? "no table" : content.error().message);
    return {};
  }
  return **std::move(content);
}

TEST(NftTableReader, WhatIsReadEqualsWhatWasSent) {
  in_own_network("that tables are read back as they were sent", [] {
    Result<NftSocket> socket = NftSocket::open();
    ASSERT_TRUE(socket);
    for (const IpFamily family : {IpFamily::V4, IpFamily::V6}) {
      const NftSample sample{family};
      ASSERT_TRUE(socket->send(sample.transaction()));
      const NftTableContent expected = modelled(sample);
      const NftTableContent content = read_sample(*socket, family);
      ASSERT_EQ(content.chains.size(), expected.chains.size());
      for (std::size_t i = 0; i < content.chains.size(); ++i) {
        EXPECT_EQ(content.chains[i].name, expected.chains[i].name);
        EXPECT_EQ(content.chains[i].hook, expected.chains[i].hook) << content.chains[i].name;
        EXPECT_EQ(content.chains[i].rules, expected.chains[i].rules) << content.chains[i].name;
      }
      ASSERT_EQ(content.sets.size(), expected.sets.size());
      for (std::size_t i = 0; i < content.sets.size(); ++i) {
        EXPECT_EQ(content.sets[i].set, expected.sets[i].set) << content.sets[i].set.name;
        EXPECT_EQ(content.sets[i].elements, expected.sets[i].elements) << content.sets[i].set.name;
      }
    }
  });
}

struct StrangerRow {
  const char* name;
  const char* command;
};

// What somebody does to the table with `nft`.
constexpr StrangerRow kStrangers[] = {
    {"a rule more", "add rule ip sample stick counter"},
    {"a rule more, of words that are ours", "add rule ip sample stick return"},
    {"a rule less", "flush chain ip sample pick-3"},
    {"masquerading that is not random", "add rule ip sample after masquerade"},
    {"another reject", "add rule ip sample before reject with icmp type host-unreachable"},
    {"a nat that persists", "add rule ip sample local dnat to 10.0.0.1 persistent"},
    {"another policy", "add chain ip sample far { policy drop; }"},
    {"another chain", "add chain ip sample more"},
    {"another hook", "add chain ip sample more { type route hook output priority 0; }"},
    {"an element more", "add element ip sample cluster-ips { 1.2.3.4 }"},
    {"an element less", "delete element ip sample sizes { 0:4 }"},
    {"a set more", "add set ip sample more { type ether_addr; }"},
    {"a set that forgets", "add set ip sample more { type ipv4_addr; flags timeout; }"},
    {"a set of ranges",
     "add set ip sample more { type ipv4_addr; flags interval; elements = "
     "{ 1.2.3.0/24 }; }"},
    {"an anonymous set", "add rule ip sample stick ip daddr { 1.2.3.4, 5.6.7.8 } drop"},
    {"all of it", "flush table ip sample"},
};

TEST(NftTableReader, WhatAStrangerChangedIsADifference) {
  in_own_network("that changes of strangers are seen", [] {
    Result<NftSocket> socket = NftSocket::open();
    ASSERT_TRUE(socket);
    const NftTransaction forget{.table = "sample", .operations = {NftDeleteTable{}}};
    for (const StrangerRow& row : kStrangers) {
      ASSERT_TRUE(socket->send(NftSample{}.transaction()));
      const auto changed = run_program(std::string("nft '") + row.command + "'");
      EXPECT_EQ(changed.status, 0) << row.name << ": " << changed.text;
      EXPECT_FALSE(read_sample(*socket, IpFamily::V4) == modelled(NftSample{})) << row.name;
      ASSERT_TRUE(socket->send(forget));
    }
  });
}

TEST(NftTableReader, TablesOfOthersAreNamedAndNotRead) {
  in_own_network("which tables are there", [] {
    Result<NftSocket> socket = NftSocket::open();
    ASSERT_TRUE(socket);
    EXPECT_EQ(socket->tables(IpFamily::V4).value(), std::vector<std::string>());
    ASSERT_EQ(run_program("nft 'add table ip kube-proxy; add chain ip kube-proxy services; "
                          "add set ip kube-proxy cluster-ips { type ipv4_addr; }; "
                          "add rule ip kube-proxy services drop'")
                  .status,
              0);
    ASSERT_TRUE(socket->send(NftSample{}.transaction()));
    EXPECT_EQ(socket->tables(IpFamily::V4).value(),
              (std::vector<std::string>{"kube-proxy", "sample"}));
    EXPECT_EQ(socket->tables(IpFamily::V6).value(), std::vector<std::string>());
    EXPECT_TRUE(read_sample(*socket, IpFamily::V4) == modelled(NftSample{}));
    const auto none = socket->read_table(IpFamily::V6, "sample");
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->has_value());
  });
}

TEST(NftTableReader, ATableThatSleepsIsWokenByAddingIt) {
  in_own_network("that a sleeping table wakes", [] {
    Result<NftSocket> socket = NftSocket::open();
    ASSERT_TRUE(socket);
    ASSERT_TRUE(socket->send(NftSample{}.transaction()));
    ASSERT_EQ(run_program("nft 'add table ip sample { flags dormant; }'").status, 0);
    ASSERT_NE(run_program("nft list ruleset").text.find("flags dormant"), std::string::npos);
    ASSERT_TRUE(socket->send({.table = "sample", .operations = {NftAddTable{}}}));
    EXPECT_EQ(run_program("nft list ruleset").text.find("flags dormant"), std::string::npos);
  });
}

// Adds the `i`th element to two sets in one transaction.
Status grow_alike(NftSocket& socket, std::uint32_t i) {
  const NftBytes key = test::host_u32(7) + test::host_u32(i);
  return socket.send(
      {.table = "sample",
       .operations = {
           NftAddElements{"slots", {{key, {}, NftSample{}.address(1) + test::port_bytes(80)}}},
           NftAddElements{"sticky-slots", {{key, {}, test::host_u32(i)}}}}});
}

std::ptrdiff_t elements_of(const NftTableContent& content, std::string_view name) {
  for (const NftSetContent& set : content.sets) {
    if (set.set.name == name) return std::ssize(set.elements);
  }
  return -1;
}

// Two sets always grow alike; whoever reads must never see one without the other.
TEST(NftTableReader, WhatIsReadIsOfOneMoment) {
  in_own_network("that tables are read whole while they change", [] {
    Result<NftSocket> reader = NftSocket::open();
    Result<NftSocket> writer = NftSocket::open();
    ASSERT_TRUE(reader && writer);
    ASSERT_TRUE(writer->send(NftSample{}.transaction()));
    std::thread growing([&] {
      for (std::uint32_t i = 0; i < 3000; ++i) EXPECT_TRUE(grow_alike(*writer, i));
    });
    std::ptrdiff_t read = 0;
    for (int i = 0; i < 100'000 && read < 3000; ++i) {
      const auto content = reader->read_table(IpFamily::V4, "sample");
      if (!content) {
        EXPECT_EQ(content.error().code, ErrorCode::Retry) << content.error().message;
        continue;
      }
      read = elements_of(**content, "slots") - 2;
      EXPECT_EQ(elements_of(**content, "sticky-slots") - 1, read);
    }
    growing.join();
    EXPECT_EQ(read, 3000);
  });
}

// A stranger who changes his own table all the time, as network policies may.
TEST(NftTableReader, ChangesOfOtherTablesDoNotSpoilTheReading) {
  in_own_network("that tables are read while others change", [] {
    Result<NftSocket> reader = NftSocket::open();
    Result<NftSocket> writer = NftSocket::open();
    ASSERT_TRUE(reader && writer);
    const NftSample sample;
    NftTransaction transaction = sample.transaction();
    ASSERT_TRUE(reader->send(transaction));
    NftAddElements more{.set = "slots"};
    for (std::uint32_t i = 0; i < 20000; ++i) {
      more.elements.push_back(
          {test::host_u32(7) + test::host_u32(i), {}, sample.address(1) + test::port_bytes(80)});
    }
    ASSERT_TRUE(reader->send({.table = "sample", .operations = {more}}));
    transaction.table = "stranger";
    ASSERT_TRUE(writer->send(transaction));
    std::atomic<bool> stop = false;
    std::atomic<int> changes = 0;
    std::thread changing([&] {
      for (std::uint32_t i = 0; !stop; ++i, ++changes) {
        const NftElement element{test::host_u32(7) + test::host_u32(i), {}, test::host_u32(i)};
        EXPECT_TRUE(writer->send(
            {.table = "stranger", .operations = {NftAddElements{"sticky-slots", {element}}}}));
      }
    });
    int whole = 0;  // a machine that is busy may hold one reading up for too long
    for (int i = 0; i < 1000 && (whole < 5 || changes < 100); ++i) {
      const auto content = reader->read_table(IpFamily::V4, "sample");
      if (!content) continue;
      ++whole;
      EXPECT_EQ(elements_of(**content, "slots"), 20002);
    }
    stop = true;
    changing.join();
    EXPECT_GE(whole, 5);
    EXPECT_GE(changes, 100);
  });
}

TEST(NftTableReader, AChangeSinceAGenerationIsSeen) {
  in_own_network("that generations tell of changes", [] {
    Result<NftSocket> socket = NftSocket::open();
    ASSERT_TRUE(socket);
    ASSERT_TRUE(socket->send(NftSample{}.transaction()));
    const std::uint32_t generation = socket->generation().value();
    EXPECT_EQ(socket->generation().value(), generation);
    const NftTransaction flush{.table = "sample", .operations = {NftFlushSet{"slots"}}};
    EXPECT_TRUE(socket->send(flush, generation));
    EXPECT_NE(socket->generation().value(), generation);
    EXPECT_FALSE(socket->send(flush, generation));
  });
}

}  // namespace
}  // namespace proxima::dataplane
