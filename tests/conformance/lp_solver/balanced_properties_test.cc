// SPDX-License-Identifier: Apache-2.0
// What holds of every plan of `balanced`. PROXIMA_SEED chooses the cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "conformance/lp_solver/random_question.h"
#include "core/policy/balanced.h"
#include "core/policy/transport.h"

namespace proxima::lp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kCases = 3000;

std::uint64_t first_seed() {
  const char* text = std::getenv("PROXIMA_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

// Calls `check` with questions until one fails.
template <class Check>
void for_questions(Check check) {
  for (std::uint64_t seed = first_seed(); seed < first_seed() + kCases; ++seed) {
    SCOPED_TRACE(::testing::Message() << "PROXIMA_SEED=" << seed);
    check(QuestionSource(seed).next(), std::mt19937_64(seed));
    if (::testing::Test::HasFailure()) return;
  }
}

std::vector<double> uniform_price(std::size_t places) {
  std::vector<double> price(places * places, 1);
  for (std::size_t place = 0; place < places; ++place) price[place * places + place] = 0;
  return price;
}

Question with_uniform_price(Question question) {
  question.price = uniform_price(question.demand.size());
  return question;
}

std::vector<double> split_of(const Question& question) {
  static policy::BalancedWorkspace workspace;
  std::vector<double> split(question.price.size());
  policy::balanced_split({.demand = question.demand,
                          .capacity = question.capacity,
                          .overload = question.limit - 1,
                          .price = question.price,
                          .may_stay = {},
                          .taken = {}},
                         workspace, split);
  return split;
}

double local_share(const std::vector<double>& split, std::size_t places) {
  double sum = 0;
  for (std::size_t place = 0; place < places; ++place) sum += split[place * places + place];
  return sum;
}

double cost(const Question& question, const std::vector<double>& split) {
  return std::inner_product(split.begin(), split.end(), question.price.begin(), 0.0);
}

double largest_difference(const std::vector<double>& one, const std::vector<double>& other) {
  double largest = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    largest = std::max(largest, std::abs(one[i] - other[i]));
  }
  return largest;
}

Question permuted(const Question& question, const std::vector<std::size_t>& order) {
  const std::size_t places = order.size();
  Question out = question;
  for (std::size_t z = 0; z < places; ++z) {
    out.demand[z] = question.demand[order[z]];
    out.capacity[z] = question.capacity[order[z]];
    for (std::size_t t = 0; t < places; ++t) {
      out.price[z * places + t] = question.price[order[z] * places + order[t]];
    }
  }
  return out;
}

TEST(BalancedProperties, TheOrderOfPlacesDoesNotMatter) {
  for_questions([](const Question& question, std::mt19937_64 random) {
    const std::size_t places = question.demand.size();
    std::vector<std::size_t> order(places);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    const auto split = split_of(question);
    const auto shuffled = split_of(permuted(question, order));
    for (std::size_t z = 0; z < places; ++z) {
      for (std::size_t t = 0; t < places; ++t) {
        EXPECT_NEAR(shuffled[z * places + t], split[order[z] * places + order[t]], 1e-9);
      }
    }
  });
}

TEST(BalancedProperties, TheClosedFormIsWhatTheGeneralSolverFinds) {
  policy::TransportSolver solver;
  for_questions([&](const Question& question, std::mt19937_64) {
    const Question uniform = with_uniform_price(question);
    std::vector<double> split(uniform.price.size());
    solver.solve({.demand = uniform.demand,
                  .capacity = uniform.capacity,
                  .taken = {},
                  .limit = uniform.limit,
                  .price = uniform.price},
                 split);
    EXPECT_LE(largest_difference(split_of(uniform), split), 1e-9);
  });
}

// An endpoint of weight w out of W brings room for (1 + overload) · w / W with it, and that is also
// the most that any share, any zone-to-zone pair and any zone's load can move when it moves.
// Why, for uniform prices: what stays is min(demand, room), which moves by no more; if the level of
// the pool rises, no load but that of the zone left behind falls, and that one by no more than the
// room it lost; if the level falls, no load but that of the zone moved to rises, and that one by no
// more than the room it gained. A pair's share is its exporter's part of what its receiver takes.
// For price matrices the same bound is observed, not proved.
TEST(BalancedProperties, MovingAnEndpointMovesNoShareByMoreThanItsRoom) {
  for_questions([](Question question, std::mt19937_64 random) {
    const std::size_t places = question.demand.size();
    const std::size_t from = random() % places;
    const std::size_t to = random() % places;
    if (std::isinf(question.limit)) question.limit = 3;
    // An endpoint that is one of `together` equal ones where it stands.
    const auto together = static_cast<double>(1 + random() % 4);
    const double weight = question.capacity[from] / together;
    for (const Question& before : {question, with_uniform_price(question)}) {
      Question after = before;
      after.capacity[from] = together > 1 ? before.capacity[from] - weight : 0;
      after.capacity[to] += weight;
      const double room = before.limit * weight;
      EXPECT_LE(largest_difference(split_of(before), split_of(after)), room + 1e-9);
    }
  });
}

TEST(BalancedProperties, ASmallChangeOfDemandIsASmallChangeOfThePlan) {
  for_questions([](const Question& question, std::mt19937_64 random) {
    const std::size_t places = question.demand.size();
    const std::size_t from = random() % places;
    const double moved = question.demand[from] * 1e-6;
    Question after = question;
    after.demand[from] -= moved;
    after.demand[random() % places] += moved;
    EXPECT_LE(largest_difference(split_of(question), split_of(after)), 2 * moved + 1e-9);
  });
}

// Envoy's shares from percentages of `unit` parts: keep what fits, send the rest to spare capacity
// in proportion. In Envoy the unit is 10,000 and percentages are whole, rounded down.
std::vector<double> envoy_split(const Question& question, const std::vector<double>& local,
                                const std::vector<double>& upstream) {
  const std::size_t places = question.demand.size();
  std::vector<double> spare(places);
  for (std::size_t t = 0; t < places; ++t) spare[t] = std::max(0.0, upstream[t] - local[t]);
  const double total = std::accumulate(spare.begin(), spare.end(), 0.0);
  std::vector<double> split(places * places);
  for (std::size_t z = 0; z < places; ++z) {
    const double kept = local[z] > upstream[z] ? upstream[z] / local[z] : 1;
    for (std::size_t t = 0; t < places && total > 0; ++t) {
      split[z * places + t] = question.demand[z] * (1 - kept) * spare[t] / total;
    }
    split[z * places + z] += question.demand[z] * kept;
  }
  return split;
}

std::vector<double> whole_parts(std::vector<double> shares, double unit) {
  for (double& share : shares) share = std::floor(share * unit);
  return shares;
}

TEST(BalancedProperties, ABoundOfZeroIsWhatEnvoyAimsAt) {
  constexpr double kUnit = 10'000;
  for_questions([](const Question& question, std::mt19937_64) {
    Question even = with_uniform_price(question);
    even.limit = 1;
    const auto split = split_of(even);
    const auto exact = envoy_split(even, even.demand, even.capacity);
    EXPECT_LE(largest_difference(split, exact), 1e-9);
    const auto rounded =
        envoy_split(even, whole_parts(even.demand, kUnit), whole_parts(even.capacity, kUnit));
    // Every percentage is up to one part short; the sum over the spare ones by one a place.
    const double truncation = (2 + static_cast<double>(even.demand.size())) / kUnit;
    EXPECT_LE(largest_difference(split, rounded), truncation);
  });
}

TEST(BalancedProperties, NoBoundKeepsExactlyWhatPreferSameZoneKeeps) {
  for_questions([](const Question& question, std::mt19937_64) {
    Question unbounded = with_uniform_price(question);
    unbounded.limit = kInfinity;
    const auto split = split_of(unbounded);
    for (std::size_t z = 0; z < unbounded.demand.size(); ++z) {
      const double kept = unbounded.capacity[z] > 0 ? unbounded.demand[z] : 0;
      EXPECT_EQ(split[z * unbounded.demand.size() + z], kept);
    }
  });
}

TEST(BalancedProperties, MoreOverloadAllowedIsNeverLessLocalNorDearer) {
  for_questions([](const Question& question, std::mt19937_64) {
    double local = 0;
    double paid = kInfinity;
    for (const double limit : {1.0, 1.05, 1.2, 1.5, 2.0, 5.0, kInfinity}) {
      Question priced = question;
      priced.limit = limit;
      const double now_paid = cost(priced, split_of(priced));
      EXPECT_LE(now_paid, paid + 1e-9 * std::max(1.0, now_paid));
      paid = now_paid;
      const double now_local =
          local_share(split_of(with_uniform_price(priced)), priced.demand.size());
      EXPECT_GE(now_local, local - 1e-12);
      local = now_local;
    }
  });
}

// By how much the cost changes for each unit of load moved from one place to another, over any
// detour: infinite where none of it can be moved.
std::vector<double> moving_costs(const Question& question, const std::vector<double>& split) {
  const std::size_t places = question.demand.size();
  std::vector<double> moving(places * places, kInfinity);
  for (std::size_t z = 0; z < places; ++z) {
    for (std::size_t from = 0; from < places; ++from) {
      if (split[z * places + from] < 1e-7) continue;
      for (std::size_t to = 0; to < places; ++to) {
        if (question.capacity[to] <= 0) continue;
        const double change = question.price[z * places + to] - question.price[z * places + from];
        moving[from * places + to] = std::min(moving[from * places + to], change);
      }
    }
  }
  for (std::size_t via = 0; via < places; ++via) {
    for (std::size_t from = 0; from < places; ++from) {
      for (std::size_t to = 0; to < places; ++to) {
        const double detour = moving[from * places + via] + moving[via * places + to];
        moving[from * places + to] = std::min(moving[from * places + to], detour);
      }
    }
  }
  return moving;
}

TEST(BalancedProperties, NoLoadCanMoveToALessLoadedPlaceForFree) {
  for_questions([](const Question& question, std::mt19937_64) {
    const std::size_t places = question.demand.size();
    const auto split = split_of(question);
    const auto moving = moving_costs(question, split);
    std::vector<double> level(places, 0);
    for (std::size_t arc = 0; arc < split.size(); ++arc) level[arc % places] += split[arc];
    for (std::size_t t = 0; t < places; ++t) level[t] /= std::max(question.capacity[t], 1e-300);
    for (std::size_t from = 0; from < places; ++from) {
      for (std::size_t to = 0; to < places; ++to) {
        const bool is_full = level[to] > question.limit - 1e-9;
        if (question.capacity[to] <= 0 || is_full) continue;
        EXPECT_GE(moving[from * places + to], -1e-9 * 1000);
        if (moving[from * places + to] > 1e-9) continue;
        EXPECT_LE(level[from], level[to] + 1e-6);
      }
    }
  });
}

TEST(BalancedProperties, SourcesSplitOverSharedPlacesInTheSameProportions) {
  for_questions([](const Question& question, std::mt19937_64) {
    const std::size_t places = question.demand.size();
    const auto split = split_of(question);
    const auto share = [&](std::size_t z, std::size_t t) { return split[z * places + t]; };
    for (std::size_t z = 0; z < places; ++z) {
      for (std::size_t y = 0; y < z; ++y) {
        for (std::size_t t = 0; t < places; ++t) {
          for (std::size_t s = 0; s < t; ++s) {
            const double least = std::min({share(z, t), share(z, s), share(y, t), share(y, s)});
            if (least < 1e-6) continue;
            EXPECT_NEAR(share(z, t) * share(y, s) / (share(z, s) * share(y, t)), 1, 1e-6);
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace proxima::lp
