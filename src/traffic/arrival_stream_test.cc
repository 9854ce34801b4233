// SPDX-License-Identifier: Apache-2.0
#include "traffic/arrival_stream.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace proxima::traffic {
namespace {

using Time = ArrivalStream::Time;
using std::chrono::milliseconds;
using std::chrono::seconds;

const Time kStart{std::chrono::hours(1)};

// All that fall due before `end`, each begun in time.
std::vector<Time> until(ArrivalStream& stream, Time end) {
  std::vector<Time> times;
  while (stream.due() < end) {
    times.push_back(stream.due());
    stream.advance(stream.due());
  }
  return times;
}

TEST(ArrivalStream, HasOneRequestInEveryPieceOfTime) {
  for (const double rate : {0.5, 3.0, 60.0, 1000.0}) {
    ArrivalStream stream{SplitMix(1)};
    stream.set_rate(rate, kStart);
    const auto times = until(stream, kStart + seconds(20));
    ASSERT_EQ(times.size(), static_cast<std::size_t>(20 * rate)) << rate;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double piece = std::chrono::duration<double>(times[i] - kStart).count() * rate;
      EXPECT_EQ(static_cast<std::size_t>(piece + 1e-6), i) << rate;
    }
  }
}

TEST(ArrivalStream, IsTheSameForTheSameSeedAndNotInStepWithAnother) {
  std::vector<std::vector<Time>> runs;
  for (const std::uint64_t seed : {5U, 5U, 6U}) {
    ArrivalStream stream{SplitMix(seed)};
    stream.set_rate(10, kStart);
    runs.push_back(until(stream, kStart + seconds(3)));
  }
  EXPECT_EQ(runs[0], runs[1]);
  EXPECT_NE(runs[0], runs[2]);
}

TEST(ArrivalStream, KeepsItsPlaceWhenTheRateIsSetAgain) {
  ArrivalStream stream{SplitMix(1)};
  stream.set_rate(10, kStart);
  const Time due = stream.due();
  stream.set_rate(10, kStart + milliseconds(40));
  EXPECT_EQ(stream.due(), due);
  stream.set_rate(1000, kStart + milliseconds(40));
  EXPECT_LE(stream.due(), kStart + milliseconds(41));
}

TEST(ArrivalStream, EndsWithoutARate) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double rate : {0.0, -1.0, 1e-9, nan, infinity}) {
    ArrivalStream stream{SplitMix(1)};
    stream.set_rate(10, kStart);
    stream.set_rate(rate, kStart);
    EXPECT_EQ(stream.due(), Time::max()) << rate;
  }
}

TEST(ArrivalStream, DoesNotMakeUpForALongSleep) {
  ArrivalStream stream{SplitMix(1)};
  stream.set_rate(100, kStart);
  const Time woken = kStart + seconds(60);
  stream.advance(woken);
  EXPECT_GE(stream.due(), woken);
  EXPECT_LE(stream.due(), woken + milliseconds(10));
}

TEST(ArrivalStream, MakesUpForAShortOne) {
  ArrivalStream stream{SplitMix(1)};
  stream.set_rate(100, kStart);
  const Time woken = kStart + milliseconds(500);
  int begun = 0;
  for (; stream.due() <= woken; ++begun) stream.advance(woken);
  EXPECT_EQ(begun, 50);
}

}  // namespace
}  // namespace proxima::traffic
