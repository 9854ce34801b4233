// SPDX-License-Identifier: Apache-2.0
// Real namespaces. Where they cannot be made the tests show how that is told, and say so.
#include "lab/lab_network.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/lab_probes.h"

namespace proxima::lab {
namespace {

constexpr std::chrono::milliseconds kSilence{200};

// Two nodes with a Pod each.
struct World {
  LabNetwork network;
  std::map<std::string, HostAddresses> addresses;

  bool passes(const std::string& from, const std::string& to) const {
    const auto from_host = network.host(from);
    const auto to_host = network.host(to);
    if (!from_host || !to_host) return false;
    return test::datagrams_pass(**from_host, **to_host, addresses.at(to).v4) &&
           test::datagrams_pass(**from_host, **to_host, addresses.at(to).v6);
  }
  // One datagram of each family, in time.
  bool passes_within(std::chrono::milliseconds patience, const std::string& from,
                     const std::string& to) const {
    const auto from_host = network.host(from);
    const auto to_host = network.host(to);
    if (!from_host || !to_host) return false;
    return test::one_datagram_passes(**from_host, **to_host, addresses.at(to).v4, patience) &&
           test::one_datagram_passes(**from_host, **to_host, addresses.at(to).v6, patience);
  }
};

Result<World> build() {
  PROXIMA_TRY(LabNetwork network, LabNetwork::create(), "world");
  World world{std::move(network), {}};
  for (const std::string number : {"1", "2"}) {
    PROXIMA_TRY(world.addresses["node-" + number], world.network.add_node("node-" + number), "");
    PROXIMA_TRY(world.addresses["shop/web-" + number],
                world.network.add_pod("node-" + number, "shop/web-" + number), "");
  }
  return world;
}

TEST(LabNetwork, EveryHostReachesEveryOtherInBothFamilies) {
  const auto world = build();
  if (test::refused_here(world)) return;
  for (const auto& [from, ignored] : world->addresses)
    for (const auto& [to, also_ignored] : world->addresses) {
      if (from == to) continue;
      EXPECT_TRUE(world->passes(from, to)) << from << " to " << to;
    }
  EXPECT_TRUE(world->passes("router", "shop/web-1"));
}

TEST(LabNetwork, APodThatLeftIsNotReachedAndAnotherHasAnotherAddress) {
  auto world = build();
  if (test::refused_here(world)) return;
  const auto kept = world->network.host("shop/web-2");
  ASSERT_TRUE(world->network.remove_pod("shop/web-2"));
  EXPECT_FALSE(test::one_datagram_passes(**world->network.host("node-1"), **kept,
                                         world->addresses["shop/web-2"].v4, kSilence));
  const auto next = world->network.add_pod("node-2", "shop/web-2");
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_NE(next->v4, world->addresses["shop/web-2"].v4);
  world->addresses["shop/web-2"] = *next;
  EXPECT_TRUE(world->passes("shop/web-1", "shop/web-2"));
}

TEST(LabNetwork, ANodeThatLeftTakesItsPodsAlong) {
  auto world = build();
  if (test::refused_here(world)) return;
  const auto node = world->network.host("node-2");
  const auto pod = world->network.host("shop/web-2");
  ASSERT_TRUE(world->network.remove_node("node-2"));
  EXPECT_EQ(world->network.host("shop/web-2").error().code, ErrorCode::NotFound);
  EXPECT_FALSE(test::one_datagram_passes(**world->network.host("node-1"), **pod,
                                         world->addresses["shop/web-2"].v4, kSilence));
  ASSERT_TRUE(world->network.add_node("node-2"));
  ASSERT_TRUE(world->network.add_pod("node-2", "shop/web-2"));
}

TEST(LabNetwork, WithoutPowerNothingPassesAndWithItAllDoesAgain) {
  auto world = build();
  if (test::refused_here(world)) return;
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(world->network.set_power("node-2", false));
    EXPECT_FALSE(world->passes_within(kSilence, "shop/web-1", "shop/web-2"));
    EXPECT_FALSE(world->passes_within(kSilence, "shop/web-2", "shop/web-1"));
    EXPECT_FALSE(world->passes_within(kSilence, "shop/web-1", "node-2"));
    const Status on = world->network.set_power("node-2", true);
    ASSERT_TRUE(on) << on.error().message;
    EXPECT_TRUE(world->passes("shop/web-1", "shop/web-2"));
    EXPECT_TRUE(world->passes("shop/web-2", "shop/web-1"));
    EXPECT_TRUE(world->passes("shop/web-1", "node-2"));
  }
  EXPECT_TRUE(world->network.set_power("node-2", true)) << "on twice is on";
}

// A packet that the kernel is not ready for is lost, and asking again takes a second.
TEST(LabNetwork, WhatWasAddedIsReachedWithoutASecondQuestion) {
  auto world = build();
  if (test::refused_here(world)) return;
  for (int i = 0; i < 10; ++i) {
    const std::string name = "pod-" + std::to_string(i);
    const auto added = world->network.add_pod("node-2", name);
    ASSERT_TRUE(added) << added.error().message;
    world->addresses[name] = *added;
    EXPECT_TRUE(world->passes_within(std::chrono::milliseconds(900), "shop/web-1", name)) << i;
  }
}

TEST(LabNetwork, PodsJoinANodeThatHasNoPower) {
  auto world = build();
  if (test::refused_here(world)) return;
  ASSERT_TRUE(world->network.set_power("node-2", false));
  const auto added = world->network.add_pod("node-2", "late");
  ASSERT_TRUE(added) << added.error().message;
  world->addresses["late"] = *added;
  EXPECT_FALSE(world->passes_within(kSilence, "shop/web-1", "late"));
  ASSERT_TRUE(world->network.set_power("node-2", true));
  EXPECT_TRUE(world->passes("shop/web-1", "late"));
}

TEST(LabNetwork, RunsWorkInsideAndTellsWhereOthersEnter) {
  auto world = build();
  if (test::refused_here(world)) return;
  struct stat inside {};
  ASSERT_TRUE(world->network.inside("shop/web-1")([&]() -> Status {
    EXPECT_EQ(stat("/proc/thread-self/ns/net", &inside), 0);
    return Unit{};
  }));
  struct stat entry {};
  ASSERT_EQ(stat((*world->network.host("shop/web-1"))->file().c_str(), &entry), 0);
  EXPECT_EQ(inside.st_ino, entry.st_ino);
  const Status nowhere = world->network.inside("gone")([]() -> Status { return Unit{}; });
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().message, "the lab has no host gone");
}

TEST(LabNetwork, ANameThatIsRefusedChangesNothing) {
  auto world = build();
  if (test::refused_here(world)) return;
  EXPECT_EQ(world->network.add_pod("node-1", "node-2").error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(world->network.add_pod("node-3", "x").error().code, ErrorCode::NotFound);
  EXPECT_EQ(world->network.remove_pod("node-1").error().code, ErrorCode::NotFound);
  EXPECT_EQ(world->network.set_power("shop/web-1", false).error().code, ErrorCode::NotFound);
  EXPECT_TRUE(world->passes("shop/web-1", "shop/web-2"));
}

}  // namespace
}  // namespace proxima::lab
