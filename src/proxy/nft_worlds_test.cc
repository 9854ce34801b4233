// SPDX-License-Identifier: Apache-2.0
// Random worlds with random changes: what was written step by step does to every packet what the
// routes say, is what a fresh process would believe, and is taken over without a write.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/split_mix.h"
#include "support/nft_fate.h"
#include "support/routes_world.h"

namespace proxima::proxy {
namespace {

using dataplane::NftTable;

class NftWorld : public test::RoutesWorld<SplitMix> {
 public:
  NftWorld(std::uint64_t seed, IpFamily family) : RoutesWorld(SplitMix(seed), family) {}
};

// What rules say to a client they may know is among what routes say.
std::string beyond_routes(const std::vector<dataplane::NftOutcome>& outcomes,
                          const RouteTable& routes, const NftWorld& world, const Packet& packet) {
  const PacketFate fate = trace(routes, world.local(), packet);
  const test::Shares allowed = test::shares_of(fate);
  for (const auto& outcome : outcomes) {
    const std::string text = test::to_text(outcome);
    const bool known = std::any_of(allowed.begin(), allowed.end(),
                                   [&](const auto& share) { return share.first == text; });
    if (!known) return text + " instead of " + test::to_text(allowed);
  }
  return "";
}

// One client comes again and again, to every service, and is remembered.
void expect_known_client_is_served(NftTable& rules, NftWorld& world, const std::string& when) {
  for (Packet packet : world.packets()) {
    packet.source = world.at("outside", 200);
    const auto outcomes = dataplane::nft_trace(rules, test::nft_packet(packet, world.local()));
    ASSERT_TRUE(outcomes) << outcomes.error().message;
    ASSERT_EQ(beyond_routes(*outcomes, world.table(), world, packet), "") << when;
    const auto& seen = (*outcomes)[world.random().below(outcomes->size())];
    dataplane::remember(rules, seen);
    if (seen.learned.empty()) continue;
    const auto again = dataplane::nft_trace(rules, test::nft_packet(packet, world.local()));
    ASSERT_EQ(again->size(), 1U) << when;
    ASSERT_EQ(test::to_text(again->front()), test::to_text(seen)) << when;
  }
}

void expect_adopted_without_a_write(const NftTable& rules, const RouteTable& routes,
                                    const std::string& when) {
  const auto content = rules.content();
  ASSERT_EQ(recognise(content, {}), NftFound::Ours);
  NftRenderer successor(routes.rules.family, {});
  successor.start(routes, recall(content, routes));
  const NftDifference difference = diff_nft_table(successor, content);
  ASSERT_EQ(difference.count, 0U) << when;
  ASSERT_TRUE(difference.transaction.empty()) << when;
}

void run_world(std::uint64_t seed, IpFamily family) {
  NftWorld world(seed, family);
  NftRenderer renderer(family, {});
  renderer.start(world.table(), {});
  NftTable rules(family);
  ASSERT_TRUE(test::load(renderer, rules));
  for (int round = 0; round < 25; ++round) {
    const std::string when = "seed " + std::to_string(seed) + " round " + std::to_string(round);
    const auto transaction = renderer.change(world.table(), world.step());
    const Status applied = rules.apply(transaction);
    ASSERT_TRUE(applied.has_value()) << when << ": " << (applied ? "" : applied.error().message);
    ASSERT_EQ(diff_nft_table(renderer, rules.content()).count, 0U) << when;
    for (const Packet& packet : world.packets())
      ASSERT_EQ(test::difference(rules, world.table(), world.local(), packet), "")
          << when << ": " << packet.source.text() << " to " << packet.destination.text() << ":"
          << packet.port;
    expect_known_client_is_served(rules, world, when);
    expect_adopted_without_a_write(rules, world.table(), when);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// PROXIMA_NFT_WORLDS sets the number of worlds: sanitizers make each ten times as slow.
TEST(NftWorlds, DoWhatTheRoutesSayAfterEveryChange) {
  const char* given = std::getenv("PROXIMA_NFT_WORLDS");
  const std::uint64_t worlds = given == nullptr ? 12 : std::strtoull(given, nullptr, 10);
  ASSERT_GT(worlds, 0U);
  for (std::uint64_t seed = 0; seed < worlds; ++seed) {
    run_world(seed, seed % 3 == 0 ? IpFamily::V6 : IpFamily::V4);
    if (HasFatalFailure()) return;
  }
}

// Elements go, have another value, or are somebody else's.
dataplane::NftTransaction damage(const dataplane::NftTableContent& content, SplitMix& random) {
  dataplane::NftTransaction damage{.family = IpFamily::V4, .table = "proxima", .operations = {}};
  for (const auto& [set, elements] : content.sets) {
    for (const dataplane::NftElement& element : elements) {
      if (random.below(4) != 0) continue;
      damage.operations.emplace_back(dataplane::NftDeleteElements{set.name, {element}});
      dataplane::NftElement other = element;
      const bool changes_key = random.below(2) == 0 && !set.intervals;
      auto* data = std::get_if<dataplane::NftBytes>(&other.value);
      if (data == nullptr && !changes_key) continue;
      auto& byte = changes_key ? other.key[random.below(other.key.size())]
                               : (*data)[random.below(data->size())];
      byte = static_cast<char>(byte ^ (1 << random.below(7)));
      const auto same = [&](const auto& one) { return one.key == other.key; };
      if (changes_key && std::any_of(elements.begin(), elements.end(), same)) continue;
      damage.operations.emplace_back(dataplane::NftAddElements{set.name, {other}});
    }
  }
  return damage;
}

TEST(NftWorlds, AreRightAfterADamagedTableWasAdopted) {
  int damaged = 0;
  for (std::uint64_t seed = 200; seed < 240; ++seed) {
    NftWorld world(seed, IpFamily::V4);
    for (int round = 0; round < 8; ++round) world.step();
    NftRenderer renderer(IpFamily::V4, {});
    renderer.start(world.table(), {});
    NftTable rules(IpFamily::V4);
    ASSERT_TRUE(test::load(renderer, rules));
    const auto transaction = damage(rules.content(), world.random());
    // Some damage no kernel would take; then there is none.
    if (!rules.apply(transaction)) continue;
    ++damaged;
    NftRenderer successor(IpFamily::V4, {});
    successor.start(world.table(), recall(rules.content(), world.table()));
    const Status applied = rules.apply(diff_nft_table(successor, rules.content()).transaction);
    ASSERT_TRUE(applied.has_value()) << seed << ": " << applied.error().message;
    for (const Packet& packet : world.packets())
      ASSERT_EQ(test::difference(rules, world.table(), world.local(), packet), "") << seed;
    ASSERT_EQ(diff_nft_table(successor, rules.content()).count, 0U) << seed;
  }
  EXPECT_GT(damaged, 10);
}

// Whatever is in the kernel, after adoption it is what the routes say.
TEST(NftWorlds, AreRightAfterAnyOtherWorldWasAdopted) {
  for (std::uint64_t seed = 100; seed < 120; ++seed) {
    NftWorld before(seed, IpFamily::V4);
    NftWorld after(seed + 1000, IpFamily::V4);
    for (int round = 0; round < 8; ++round) before.step(), after.step();
    NftRenderer renderer(IpFamily::V4, {});
    renderer.start(before.table(), {});
    NftTable rules(IpFamily::V4);
    ASSERT_TRUE(test::load(renderer, rules));
    NftRenderer successor(IpFamily::V4, {});
    successor.start(after.table(), recall(rules.content(), after.table()));
    const Status applied = rules.apply(diff_nft_table(successor, rules.content()).transaction);
    ASSERT_TRUE(applied.has_value()) << seed << ": " << applied.error().message;
    for (const Packet& packet : after.packets())
      ASSERT_EQ(test::difference(rules, after.table(), after.local(), packet), "") << seed;
    ASSERT_EQ(diff_nft_table(successor, rules.content()).count, 0U) << seed;
  }
}

}  // namespace
}  // namespace proxima::proxy
