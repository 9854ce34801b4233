// SPDX-License-Identifier: Apache-2.0
#include "proxy/sync_pace.h"

#include <gtest/gtest.h>

#include <string_view>

namespace proxima::proxy {
namespace {

using namespace std::chrono_literals;

// Letters at seconds: 'r' a request, 'f' the next run fails. A run takes no time. Says at which
// seconds there was one.
std::string runs(std::string_view events, const SyncIntervals& intervals, int seconds) {
  const SyncPace::Time start;
  SyncPace pace(intervals, start);
  bool fails = false;
  std::string text;
  for (int second = 0; second <= seconds; ++second) {
    const auto now = start + std::chrono::seconds(second);
    const char event = static_cast<std::size_t>(second) < events.size() ? events[second] : ' ';
    if (event == 'f') fails = true;
    if (event == 'r' || event == 'f') pace.request();
    if (!pace.is_due(now)) continue;
    pace.begin();
    pace.end(now, fails ? SyncPace::Outcome::Failure : SyncPace::Outcome::Success);
    fails = false;
    text += (text.empty() ? "" : " ") + std::to_string(second);
  }
  return text;
}

TEST(SyncPace, RunsWhenItShould) {
  const SyncIntervals usual{.least = 3s, .retry = 5s, .most = 20s};
  const struct {
    const char* name;
    const char* events;
    SyncIntervals intervals;
    const char* runs;
  } cases[] = {
      {"now and then without a request", "", usual, "20 40"},
      {"at once after a quiet time", "  r", usual, "2 22"},
      {"never sooner than the least interval", " rr", usual, "1 4 24"},
      {"many requests are one run", " rrrr", usual, "1 4 24"},
      {"again after a failure", " f", usual, "1 6 26"},
      {"a request comes before the retry", " f   r", usual, "1 5 25"},
      {"a retry waits for the least interval",
       " f",
       {.least = 3s, .retry = 1s, .most = 20s},
       "1 4 24"},
      {"a retry is no later than the next run",
       " f",
       {.least = 3s, .retry = 90s, .most = 20s},
       "1 21"},
      {"without a least interval every request runs",
       " rrr",
       {.least = 0s, .retry = 5s, .most = 20s},
       "1 2 3 23"},
  };
  for (const auto& c : cases) EXPECT_EQ(runs(c.events, c.intervals, 40), c.runs) << c.name;
}

TEST(SyncPace, KeepsARequestThatComesDuringARun) {
  const SyncPace::Time start;
  SyncPace pace({.least = 3s, .retry = 5s, .most = 20s}, start);
  pace.request();
  pace.begin();
  pace.request();
  pace.end(start + 10s, SyncPace::Outcome::Success);
  EXPECT_EQ(pace.next_run(), start + 13s) << "counted from the end of the run";
}

}  // namespace
}  // namespace proxima::proxy
