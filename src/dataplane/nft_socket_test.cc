// SPDX-License-Identifier: Apache-2.0
// What is sent, as the real `nft` shows it afterwards. Every test has a network namespace of its
// own.
#include "dataplane/nft_socket.h"

#include <gtest/gtest.h>

#include "support/nft_sample.h"
#include "support/own_network.h"
#include "support/run_program.h"

namespace proxima::dataplane {
namespace {

using test::in_own_network;
using test::NftSample;
using test::run_program;

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// Notation of the rows: ADDR a type, IP a protocol, n:7 the address that ends in 7.
std::string in_family(std::string_view row, IpFamily family) {
  const bool v4 = family == IpFamily::V4;
  std::string text = replace_all(std::string(row), "ADDR", v4 ? "ipv4_addr" : "ipv6_addr");
  text = replace_all(std::move(text), "IP", v4 ? "ip" : "ip6");
  return replace_all(std::move(text), "n:", v4 ? "10.96.0." : "fd00:96::");
}

std::string error_of(const Status& status) { return status ? "" : status.error().message; }

struct ListedRow {
  const char* object;  // what is listed
  const char* text;    // what must stand there
};

// clang-format off
constexpr ListedRow kListed[] = {
    {"map IP sample affinity",     "type ADDR . classid : classid"},
    {"map IP sample affinity",     "size 65536"},
    {"map IP sample affinity",     "flags dynamic,timeout"},
    {"set IP sample allowed",      "type ADDR . inet_proto . inet_service . ADDR"},
    {"set IP sample allowed",      "flags interval"},
    {"map IP sample backends",     "type classid : ADDR . inet_service"},
    {"map IP sample backends",     "1:2001 : n:7 . 8080"},
    {"set IP sample cluster-ips",  "type ADDR"},
    {"set IP sample cluster-ips",  "n:2 }"},
    {"map IP sample from-pod",     "type ADDR . inet_proto . inet_service : classid"},
    {"map IP sample from-pod",     "n:1 . tcp . 80 : 1:3"},
    {"map IP sample from-pod",     "n:2 . tcp . 443 : 1:2203"},
    {"map IP sample node-ports",   "type inet_proto . inet_service : classid"},
    {"map IP sample node-ports",   "udp . 30053 : 1:103"},
    {"map IP sample sizes",        "type classid : verdict"},
    {"map IP sample sizes",        "0:3 : goto pick-3, 0:4 : drop"},
    {"map IP sample slots",        "typeof meta priority . numgen random mod 4096 : IP daddr . th dport"},
    {"map IP sample slots",        "1:3 . 1 : n:8 . 8080"},
    {"map IP sample sticky-slots", "typeof meta priority . numgen random mod 4096 : meta priority"},
    {"map IP sample sticky-slots", "1:2203 . 0 : 1:2001"},
    {"chain IP sample after",      "type nat hook postrouting priority srcnat; policy accept;"},
    {"chain IP sample after",      "meta mark & 0x00004000 == 0x00004000 meta mark set meta mark ^ 0x00004000 "
                                   "meta priority set none masquerade fully-random comment \"marked for masquerading\""},
    {"chain IP sample before",     "type filter hook prerouting priority dstnat - 10; policy accept;"},
    {"chain IP sample before",     "ct state new IP daddr @cluster-ips reject\n"},
    {"chain IP sample before",     "fib daddr type local meta priority set meta l4proto . th dport map @node-ports accept"},
    {"chain IP sample far",        "type filter hook forward priority filter; policy accept;"},
    {"chain IP sample far",        "IP daddr . meta l4proto . th dport . IP saddr != @allowed drop"},
    {"chain IP sample in",         "type filter hook input priority filter - 1; policy accept;"},
    {"chain IP sample in",         "ct status dnat fib saddr type local return"},
    {"chain IP sample in",         "iifname \"cni*\" accept"},
    {"chain IP sample local",      "type nat hook output priority -100; policy accept;"},
    {"chain IP sample local",      "meta priority set IP daddr . meta l4proto . th dport map @from-pod goto stick"},
    {"chain IP sample local",      "meta priority & 0:ff vmap @sizes"},
    {"chain IP sample pick-3",     "dnat IP to meta priority . numgen random mod 3 map @slots"},
    {"chain IP sample stick",      "update @affinity { IP saddr . meta priority & ffff:e000 timeout 3h : meta priority }"},
    {"chain IP sample stick",      "delete @affinity { IP saddr . meta priority & ffff:e000 : meta priority }"},
};
// clang-format on

TEST(NftSocket, WhatIsSentIsListedByNft) {
  in_own_network("that `nft` lists what is sent", [] {
    for (const IpFamily family : {IpFamily::V4, IpFamily::V6}) {
      Result<NftSocket> socket = NftSocket::open();
      ASSERT_TRUE(socket);
      ASSERT_EQ(error_of(socket->send(NftSample{family}.transaction())), "");
      for (const ListedRow& row : kListed) {
        const auto listed = run_program("nft list " + in_family(row.object, family));
        EXPECT_NE(listed.text.find(in_family(row.text, family)), std::string::npos)
            << in_family(row.object, family) << " lacks " << in_family(row.text, family) << "\n"
            << listed.text;
      }
    }
    const auto all = run_program("nft list ruleset");
    EXPECT_EQ(all.status, 0);
    EXPECT_NE(all.text.find("10.96.0.1 . tcp . 80 . 10.0.0.0/8"), std::string::npos) << all.text;
    EXPECT_NE(all.text.find("fd00:96::1 . tcp . 80 . fd00::/112"), std::string::npos) << all.text;
  });
}

// Changes to the sample that a kernel refuses, and what is said then.
struct RefusedRow {
  const char* name;
  std::vector<NftOperation> change;
  ErrorCode code;
  const char* message;
};

std::vector<RefusedRow> refused_rows() {
  const NftSample sample;
  const auto element = [&](int last, std::uint32_t value) {
    return NftElement{sample.frontend(last, 80), {}, test::host_u32(value)};
  };
  return {
      {"an element that is there with another value",
       {NftAddElements{"from-pod", {element(9, 1), element(1, 4), element(8, 1)}}},
       ErrorCode::Conflict,
       "table ip sample: add elements to from-pod: element 0a600001 06000000 00500000: "
       "File exists"},
      {"an element that is not there",
       {NftDeleteElements{"from-pod", {element(1, 0), element(5, 0)}}},
       ErrorCode::NotFound,
       "table ip sample: delete elements of from-pod: element 0a600005 06000000 00500000: "
       "No such file or directory"},
      {"a rule for a chain that is not there",
       {NftAddRule{"nowhere", {.steps = {NftReject{}}, .comment = "lost"}}},
       ErrorCode::NotFound,
       "table ip sample: add rule to nowhere (lost): No such file or directory"},
      {"a chain that a rule points to",
       {NftFlushChain{"stick"}, NftDeleteChain{"stick"}},
       ErrorCode::Retry,
       "table ip sample: delete chain stick: Device or resource busy"},
      {"a set that rules use",
       {NftDeleteSet{"cluster-ips"}},
       ErrorCode::Retry,
       "table ip sample: delete set cluster-ips: Device or resource busy"},
      {"two refusals in one",
       {NftFlushSet{"nothing"}, NftFlushChain{"nothing"}},
       ErrorCode::NotFound,
       "table ip sample: flush set nothing: No such file or directory, and 1 more refusals"},
      {"a key of the wrong length",
       {NftAddElements{"cluster-ips", {{"abc", {}, {}}}}},
       ErrorCode::InvalidInput,
       "table ip sample: add elements to cluster-ips: element 616263: Invalid argument"},
      {"a jump that comes back",
       {NftAddRule{"stick", {.steps = {NftVerdict{NftVerdict::Kind::Jump, "stick"}}}}},
       ErrorCode::InvalidInput,
       "table ip sample: add rule to stick: Too many links"},
  };
}

TEST(NftSocket, ARefusalNamesWhatItIsAboutAndChangesNothing) {
  in_own_network("what a kernel refuses, and how", [] {
    Result<NftSocket> socket = NftSocket::open();
    ASSERT_TRUE(socket);
    ASSERT_EQ(error_of(socket->send(NftSample{}.transaction())), "");
    const std::string before = run_program("nft list ruleset").text;
    for (const RefusedRow& row : refused_rows()) {
      NftTransaction transaction{.table = "sample"};
      transaction.operations.emplace_back(NftAddChain{"made-on-the-way", {}});
      transaction.operations.insert(transaction.operations.end(), row.change.begin(),
                                    row.change.end());
      const Status status = socket->send(transaction);
      EXPECT_EQ(error_of(status), row.message) << row.name;
      ASSERT_FALSE(status) << row.name;
      EXPECT_EQ(status.error().code, row.code) << row.name;
      EXPECT_EQ(run_program("nft list ruleset").text, before) << row.name;
    }
  });
}

TEST(NftSocket, AChangeThatWouldComeTooLateIsToBeTriedAgain) {
  in_own_network("that a change of an older generation is refused", [] {
    Result<NftSocket> socket = NftSocket::open();
    ASSERT_TRUE(socket);
    ASSERT_EQ(error_of(socket->send(NftSample{}.transaction())), "");
    const NftTransaction late{.table = "sample", .operations = {NftFlushSet{"slots"}}};
    const Status status = socket->send(late, 4711);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::Retry);
    EXPECT_EQ(
        status.error().message,
        "table ip sample: commit: Interrupted system call should be restarted (the rules were "
        "changed by somebody else meanwhile)");
  });
}

TEST(NftSocket, WhatIsLongerThanAMessageIsSentAtOnceAllTheSame) {
  in_own_network("that a kernel takes long lists", [] {
    const NftSample sample;
    Result<NftSocket> socket = NftSocket::open();
    ASSERT_TRUE(socket);
    ASSERT_EQ(error_of(socket->send(sample.transaction())), "");
    std::vector<NftElement> slots;
    for (std::uint32_t i = 0; i < 20000; ++i) {
      slots.push_back({test::host_u32(0x20000) + test::host_u32(i),
                       {},
                       sample.address(1) + test::port_bytes(80)});
    }
    NftTransaction change{.table = "sample", .operations = {NftAddElements{"slots", slots}}};
    ASSERT_EQ(error_of(socket->send(change)), "");
    // The last one is named, though it is far into the seventh message.
    change.operations = {NftDeleteElements{"slots", slots}};
    std::get<NftDeleteElements>(change.operations[0]).elements.back().key = std::string(8, 'x');
    EXPECT_EQ(
        error_of(socket->send(change)),
        "table ip sample: delete elements of slots: element 78787878 78787878: No such file or "
        "directory");
    change.operations = {NftDeleteElements{"slots", slots}};
    EXPECT_EQ(error_of(socket->send(change)), "");
  });
}

TEST(NftSocket, MoreRefusalsThanFitAreStillARefusal) {
  in_own_network("that lost answers are not taken for success", [] {
    Result<NftSocket> socket = NftSocket::open();
    ASSERT_TRUE(socket);
    NftTransaction many{.table = "none"};
    many.operations.assign(100'000, NftFlushSet{"nothing"});
    const Status status = socket->send(many);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::NotFound);
    EXPECT_EQ(status.error().message.rfind("table ip none: flush set nothing: No such file", 0), 0U)
        << status.error().message;
    EXPECT_EQ(error_of(socket->send(NftSample{}.transaction())), "");
  });
}

TEST(NftSocket, NothingToChangeIsNotSent) {
  in_own_network("that an empty transaction needs no table", [] {
    Result<NftSocket> socket = NftSocket::open();
    ASSERT_TRUE(socket);
    EXPECT_EQ(error_of(socket->send({.table = "none", .operations = {NftAddElements{"none", {}}}})),
              "");
    EXPECT_EQ(error_of(socket->send({.table = "none"})), "");
  });
}

struct AloneRow {
  const char* name;
  std::vector<NftOperation> ours;
  const char* stranger;  // what somebody else gives to `nft`
  bool alone;
};

const AloneRow kAlone[] = {
    {"nothing happens", {}, "", true},
    {"our own change", {NftDeleteElements{"cluster-ips", {{NftSample{}.address(1)}}}}, "", true},
    {"a rule of ours", {NftAddRule{"stick", {.steps = {NftReject{}}}}}, "", true},
    {"a change of ours that is refused", {NftDeleteSet{"nothing"}}, "", true},
    {"a stranger's change", {}, "add element ip sample cluster-ips { 1.2.3.4 }", false},
    {"a stranger's table", {}, "add table ip6 other", false},
    {"ours and a stranger's", {NftDeleteChain{"spare"}}, "add table ip6 another", false},
    {"what is there already is added", {NftAddTable{}, NftAddChain{"stick", {}}}, "", false},
    {"what changes nothing, and a stranger", {NftAddTable{}}, "add table ip6 third", false},
};

TEST(NftSocket, WhoIsAloneNeedNotLook) {
  in_own_network("that changes of strangers are noticed without reading", [] {
    Result<NftSocket> socket = NftSocket::open();
    ASSERT_TRUE(socket);
    for (const AloneRow& row : kAlone) {
      NftTransaction sample = NftSample{}.transaction();
      sample.operations.emplace_back(NftAddChain{"spare", {}});
      ASSERT_EQ(error_of(socket->send(sample)), "");
      const NftMoment moment = socket->now().value();
      const Status sent = socket->send({.table = "sample", .operations = row.ours});
      const std::string stranger = row.stranger;
      if (!stranger.empty()) {
        ASSERT_EQ(run_program("nft '" + stranger + "'").status, 0);
      }
      EXPECT_EQ(socket->is_alone_since(moment), row.alone)
          << row.name << (sent ? "" : sent.error().message);
      ASSERT_EQ(error_of(socket->send({.table = "sample", .operations = {NftDeleteTable{}}})), "");
    }
  });
}

TEST(NftSocket, ADeletedTableIsGone) {
  in_own_network("that a table goes with all that is in it", [] {
    Result<NftSocket> socket = NftSocket::open();
    ASSERT_TRUE(socket);
    ASSERT_EQ(error_of(socket->send(NftSample{}.transaction())), "");
    ASSERT_EQ(error_of(socket->send({.table = "sample", .operations = {NftDeleteTable{}}})), "");
    EXPECT_EQ(run_program("nft list ruleset").text, "");
  });
}

}  // namespace
}  // namespace proxima::dataplane
