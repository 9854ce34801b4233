// SPDX-License-Identifier: Apache-2.0
#include "base/guarded.h"

#include <gtest/gtest.h>

#include <functional>
#include <thread>
#include <vector>

#include "base/check.h"
#include "base/result.h"

namespace proxima {
namespace {

std::string broke(const std::function<void()>& work) {
  const auto breakdown = run_guarded(work);
  return breakdown ? breakdown->what : "";
}

TEST(Guarded, WorkThatComesToItsEndIsNoBreakdown) {
  int done = 0;
  EXPECT_EQ(broke([&] { done = 1; }), "");
  EXPECT_EQ(done, 1);
}

TEST(Guarded, ABrokenInvariantEndsTheWorkAndSaysWhere) {
  int done = 0;
  const std::string what = broke([&] {
    PROXIMA_CHECK(done == 1);
    done = 2;
  });
  EXPECT_EQ(done, 0);
  EXPECT_EQ(what.substr(0, what.find(':', 20)), "broken invariant: done == 1 (guarded_test.cc");
}

TEST(Guarded, SoDoesAnExceptionOfALibrary) {
  EXPECT_EQ(broke([] { (void)std::vector<int>().at(3); }).substr(0, 11), "exception: ");
  EXPECT_EQ(broke([] { (void)*Result<int>(invalid_input("bad")); }).substr(0, 17),
            "broken invariant:");
}

TEST(Guarded, TheInnermostGuardCatches) {
  bool went_on = false;
  EXPECT_EQ(broke([&] {
              EXPECT_NE(broke([] { PROXIMA_CHECK(false); }), "");
              went_on = true;
            }),
            "");
  EXPECT_TRUE(went_on);
}

TEST(Guarded, WhatWasHeldIsReleased) {
  struct Held {
    int& count;
    explicit Held(int& counted) : count(counted) { ++count; }
    ~Held() { --count; }
  };
  int held = 0;
  EXPECT_NE(broke([&] {
              const Held one(held);
              PROXIMA_CHECK(held == 2);
            }),
            "");
  EXPECT_EQ(held, 0);
}

TEST(GuardedDeathTest, OutsideABrokenInvariantStopsTheProgram) {
  EXPECT_NE(broke([] { PROXIMA_CHECK(false); }), "");
  EXPECT_DEATH(PROXIMA_CHECK(1 + 1 == 3), "broken invariant: 1 \\+ 1 == 3");
  EXPECT_DEATH((void)run_guarded([] { std::thread([] { PROXIMA_CHECK(1 + 1 == 4); }).join(); }),
               "broken invariant: 1 \\+ 1 == 4");
}

}  // namespace
}  // namespace proxima
