// SPDX-License-Identifier: Apache-2.0
#include "proxy/slot_assignment.h"

#include <algorithm>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "base/split_mix.h"

namespace proxima::proxy {
namespace {

Backend backend(unsigned name, std::uint32_t weight) {
  const std::string address =
      "10.0." + std::to_string(name / 256) + "." + std::to_string(name % 256);
  return {.at = {*IpAddress::parse(address), 80}, .local = false, .weight = weight, .zone = {}};
}

Backends with_weights(const std::vector<std::uint32_t>& weights) {
  Backends backends;
  for (unsigned i = 0; i < weights.size(); ++i) backends.push_back(backend(i, weights[i]));
  return backends;
}

std::map<BackendAddress, std::uint32_t> counts(const SlotAssignment& assignment) {
  std::map<BackendAddress, std::uint32_t> counts;
  for (const BackendAddress& address : assignment.slots) ++counts[address];
  return counts;
}

std::string printed(const Backends& backends, const SlotAssignment& assignment) {
  auto counted = counts(assignment);
  std::string text = std::to_string(assignment.slots.size()) + ":";
  for (const Backend& one : backends) text += " " + std::to_string(counted[one.at]);
  return text;
}

TEST(SlotAssignment, GivesEachItsShare) {
  const struct {
    const char* name;
    std::vector<std::uint32_t> weights;
    const char* slots;
  } cases[] = {
      {"nobody", {}, "0:"},
      {"one", {7}, "1: 1"},
      {"equals need no more slots than they are", {1, 1, 1}, "3: 1 1 1"},
      {"so do fifteen", std::vector<std::uint32_t>(15, 400'000),
       "15: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"},
      {"small proportions are exact", {800, 100, 100}, "10: 8 1 1"},
      {"a split", {466'667, 466'667, 33'333, 33'333}, "30: 14 14 1 1"},
      {"one that hardly counts", {999'999, 1}, "2: 2 0"},
  };
  for (const auto& c : cases) {
    const Backends backends = with_weights(c.weights);
    EXPECT_EQ(printed(backends, assign_slots({.backends = backends})), c.slots) << c.name;
  }
}

TEST(SlotAssignment, HasEverySmallSizeAndFewLargeOnes) {
  const SlotSizes& sizes = usual_slot_sizes();
  EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end()));
  EXPECT_EQ(std::adjacent_find(sizes.begin(), sizes.end()), sizes.end());
  EXPECT_EQ(sizes.front(), 1U);
  EXPECT_EQ(sizes.back(), 65536U);
  EXPECT_LT(sizes.size(), 1000U);
}

std::vector<std::uint32_t> random_weights(SplitMix& random, std::size_t most) {
  std::vector<std::uint32_t> weights(1 + random.below(most));
  const std::uint64_t kind = random.below(3);
  for (std::uint32_t& weight : weights) {
    if (kind == 0) weight = 1;
    if (kind == 1) weight = static_cast<std::uint32_t>(1 + random.below(4));
    if (kind == 2) weight = static_cast<std::uint32_t>(1 + random.below(1'000'000));
  }
  return weights;
}

TEST(SlotAssignment, EqualsAreEqualHoweverManyTheyAre) {
  for (const unsigned count : {1U, 128U, 129U, 300U, 500U, 512U}) {
    const Backends backends = with_weights(std::vector<std::uint32_t>(count, 7));
    const SlotAssignment assignment = assign_slots({.backends = backends});
    EXPECT_EQ(assignment.slots.size(), count);
    EXPECT_EQ(counts(assignment).size(), count);
  }
  for (const unsigned count : {513U, 700U, 999U, 1000U, 1500U, 3000U, 5000U}) {
    const Backends backends = with_weights(std::vector<std::uint32_t>(count, 7));
    const SlotAssignment assignment = assign_slots({.backends = backends});
    const auto counted = counts(assignment);
    ASSERT_EQ(counted.size(), count) << "nobody goes without";
    const double fair = static_cast<double>(assignment.slots.size()) / count;
    // The largest size is 13 times five thousand.
    const double bound = count <= 3000 ? 0.05 : 0.08;
    for (const auto& [backend, slots] : counted) ASSERT_NEAR(slots / fair, 1, bound) << count;
  }
}

// Whatever the history: nobody is more than one slot from its exact quota, and within the promised
// error where a size allows it.
TEST(SlotAssignment, StaysWithinOneSlotOfTheWeights) {
  SplitMix random(1);
  SlotAssignment previous;
  for (int round = 0; round < 3000; ++round) {
    const Backends backends = with_weights(random_weights(random, round % 100 == 0 ? 1200 : 40));
    const bool keeps_history = random.below(4) != 0;
    const SlotAssignment now =
        assign_slots({.backends = backends, .previous = keeps_history ? &previous : nullptr});
    auto counted = counts(now);
    double total = 0;
    for (const Backend& one : backends) total += one.weight;
    const double size = static_cast<double>(now.slots.size());
    for (const Backend& one : backends) {
      const double share = one.weight / total;
      const double off = std::abs(counted[one.at] / size - share);
      ASSERT_LT(off * size, 1.0) << "round " << round;
      if (now.slots.size() == usual_slot_sizes().back()) continue;
      const double mean = 1.0 / static_cast<double>(backends.size());
      ASSERT_LE(off, std::max(0.02 * share, std::min(0.0005, 0.05 * mean)) + 1e-12)
          << "round " << round;
    }
    previous = now;
  }
}

// The fewest changes that any assignment of the same size within one slot of the quotas can have.
std::uint32_t fewest_changes(const Backends& backends, const SlotAssignment& before) {
  const auto size = static_cast<std::uint32_t>(before.slots.size());
  std::uint64_t total = 0;
  for (const Backend& one : backends) total += one.weight;
  auto had = counts(before);
  std::uint32_t best = size;
  std::function<void(std::size_t, std::uint32_t, std::uint32_t)> search =
      [&](std::size_t at, std::uint32_t given, std::uint32_t kept) {
        if (at == backends.size()) {
          if (given == size) best = std::min(best, size - kept);
          return;
        }
        const std::uint64_t exact = backends[at].weight * std::uint64_t{size};
        const auto whole = static_cast<std::uint32_t>(exact / total);
        const std::uint32_t choices = exact % total == 0 ? 1 : 2;
        for (std::uint32_t more = 0; more < choices; ++more)
          search(at + 1, given + whole + more, kept + std::min(had[backends[at].at], whole + more));
      };
  search(0, 0, 0);
  return best;
}

TEST(SlotAssignment, ChangesAsFewSlotsAsPossible) {
  SplitMix random(2);
  const SlotSizes sizes = {12, 60};
  int same_size = 0;
  SlotAssignment previous;
  for (int round = 0; round < 2000; ++round) {
    const Backends backends = with_weights(random_weights(random, 7));
    const SlotAssignment now = assign_slots({.backends = backends,
                                             .previous = &previous,
                                             .sizes = sizes,
                                             .error = {.absolute = 1, .of_mean = 100}});
    if (now.slots.size() == previous.slots.size()) {
      ++same_size;
      ASSERT_EQ(changed_slots(previous, now).size(), fewest_changes(backends, previous))
          << "round " << round;
    }
    previous = now;
  }
  EXPECT_GT(same_size, 1000);
}

TEST(SlotAssignment, ChangesNothingWhenNothingChanges) {
  SplitMix random(3);
  for (int round = 0; round < 500; ++round) {
    Backends backends = with_weights(random_weights(random, 30));
    const SlotAssignment first = assign_slots({.backends = backends});
    // Only proportions count, and the order does not.
    for (Backend& one : backends) one.weight *= 3;
    std::reverse(backends.begin(), backends.end());
    const SlotAssignment again = assign_slots({.backends = backends, .previous = &first});
    ASSERT_TRUE(changed_slots(first, again).empty()) << "round " << round;
  }
}

TEST(SlotAssignment, MovesOnlyTheSlotsOfABackendThatLeaves) {
  const SlotSizes sizes = {240};
  const Backends before = with_weights({1, 1, 1, 1, 1});
  const SlotAssignment first =
      assign_slots({.backends = before, .previous = nullptr, .sizes = sizes});
  const Backends after(before.begin(), before.end() - 1);
  const SlotAssignment second =
      assign_slots({.backends = after, .previous = &first, .sizes = sizes});
  EXPECT_EQ(changed_slots(first, second).size(), 48U);
  const SlotAssignment third =
      assign_slots({.backends = before, .previous = &second, .sizes = sizes});
  EXPECT_EQ(changed_slots(second, third).size(), 48U);
}

TEST(SlotAssignment, KeepsItsSizeWhileThatIsGoodEnough) {
  const Backends split = with_weights({933, 67});
  const SlotAssignment first = assign_slots({.backends = split});
  const Backends nearly = with_weights({934, 66});
  const SlotAssignment second = assign_slots({.backends = nearly, .previous = &first});
  EXPECT_EQ(second.slots.size(), first.slots.size());
  EXPECT_LE(changed_slots(first, second).size(), 1U);
  const Backends one = with_weights({1});
  EXPECT_EQ(assign_slots({.backends = one, .previous = &first}).slots.size(), 1U)
      << "it does not stay far too large";
}

}  // namespace
}  // namespace proxima::proxy
