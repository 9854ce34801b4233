// SPDX-License-Identifier: Apache-2.0
// Real namespaces. Where they cannot be made the tests show how that is told, and say so.
#include "lab/cluster_bed.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "support/temp_folder.h"

namespace proxima::lab {
namespace {

ClusterShape small() { return {.nodes = {{"a", 1}, {"b", 1}}, .outside_hosts = 1}; }

Result<ClusterBed> build(const std::string& folder, const std::string& run) {
  auto claim = RunClaim::take(folder, run);
  if (!claim) return claim.error();
  return ClusterBed::build(plan_cluster(small()).value(), std::move(claim).value());
}

// True where this machine refuses namespaces; the refusal itself is looked at then.
bool refused_here(const Result<ClusterBed>& bed) {
  if (bed) return false;
  EXPECT_EQ(bed.error().code, ErrorCode::Denied) << bed.error().message;
  std::printf("not shown: no namespaces here: %s\n", bed.error().message.c_str());
  return true;
}

std::size_t names_in(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

// One datagram from `from` to `to`, whose address is `address`.
void expect_datagram(const NetworkNamespace& from, const NetworkNamespace& to,
                     const std::string& address) {
  sockaddr_in6 at{};
  at.sin6_family = AF_INET6;
  at.sin6_port = htons(9999);
  const bool v4 = address.find(':') == std::string::npos;
  ASSERT_EQ(inet_pton(AF_INET6, (v4 ? "::ffff:" + address : address).c_str(), &at.sin6_addr), 1);
  int receiver = -1;
  ASSERT_TRUE(to.run([&]() -> Status {
    receiver = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_in6 any{};
    any.sin6_family = AF_INET6;
    any.sin6_port = htons(9999);
    EXPECT_EQ(bind(receiver, reinterpret_cast<sockaddr*>(&any), sizeof any), 0);
    const timeval patience{2, 0};
    setsockopt(receiver, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return Unit{};
  }));
  ASSERT_TRUE(from.run([&]() -> Status {
    const int sender = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(sendto(sender, "x", 1, 0, reinterpret_cast<sockaddr*>(&at), sizeof at), 1);
    close(sender);
    return Unit{};
  }));
  char got = 0;
  EXPECT_EQ(recv(receiver, &got, 1, 0), 1) << address;
  close(receiver);
}

TEST(ClusterBed, EveryHostReachesEveryOther) {
  const proxima::testing::TempFolder folder;
  const auto bed = build(folder.path(), "t1");
  if (refused_here(bed)) return;
  const ClusterPlan plan = plan_cluster(small()).value();
  for (std::size_t from = 1; from < plan.hosts.size(); ++from)
    for (std::size_t to = 1; to < plan.hosts.size(); ++to) {
      if (from == to) continue;
      SCOPED_TRACE(plan.hosts[from].name + " to " + plan.hosts[to].name);
      for (const IpAddress& address : {plan.hosts[to].v4, plan.hosts[to].v6})
        expect_datagram(bed->namespaces()[from], bed->namespaces()[to], address.text());
    }
}

TEST(ClusterBed, LeavesNothingBehind) {
  const proxima::testing::TempFolder folder;
  {
    const auto bed = build(folder.path(), "t2");
    if (refused_here(bed)) return;
    EXPECT_GT(names_in(folder.path()), 1U);
  }
  EXPECT_EQ(names_in(folder.path()), 0U);
}

TEST(Sweep, RemovesWhatNobodyClaimsAndNothingElse) {
  const proxima::testing::TempFolder folder;
  const std::string at = folder.path();
  const auto claim = RunClaim::take(at, "alive");
  ASSERT_TRUE(claim);
  for (const char* name : {"px-dead.claim", "px-dead-node-1", "px-alive-node-1", "stranger"})
    std::ofstream(at + "/" + name) << "";
  EXPECT_EQ(sweep(at).value(), 1U);
  EXPECT_FALSE(std::filesystem::exists(at + "/px-dead-node-1"));
  EXPECT_FALSE(std::filesystem::exists(at + "/px-dead.claim"));
  EXPECT_TRUE(std::filesystem::exists(at + "/px-alive-node-1"));
  EXPECT_TRUE(std::filesystem::exists(at + "/stranger"));
}

TEST(RunClaim, IsExclusiveAndPlainlyNamed) {
  const proxima::testing::TempFolder folder;
  const auto first = RunClaim::take(folder.path(), "r1");
  ASSERT_TRUE(first);
  EXPECT_FALSE(RunClaim::take(folder.path(), "r1"));
  EXPECT_EQ(RunClaim::take(folder.path(), "../r1").error().code, ErrorCode::InvalidInput);
}

}  // namespace
}  // namespace proxima::lab
