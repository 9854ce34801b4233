// SPDX-License-Identifier: Apache-2.0
#include "proxy/trigger_times.h"

#include <gtest/gtest.h>

#include "support/route_world.h"

namespace proxima::proxy {
namespace {

// Steps: "+SERVICE TIME" a changed slice, "-SERVICE" one that is gone.
std::string taken(const std::vector<std::string>& steps) {
  TriggerTimes times(parse_time("2026-03-01T12:00:00Z").value());
  for (const std::string& step : steps) {
    const auto blank = step.find(' ');
    std::string slice = "ns/" + step.substr(1, blank - 1);
    if (blank != std::string::npos)
      slice += " annotation=" + std::string(kTriggerTimeAnnotation) + ":" + step.substr(blank + 1);
    if (step.front() == '+') times.changed(*test::slice(slice));
    if (step.front() == '-') times.removed(*test::slice(slice));
  }
  std::string text;
  for (const WallTime time : times.take()) text += (text.empty() ? "" : " ") + time_text(time);
  EXPECT_TRUE(times.take().empty());
  return text;
}

TEST(TriggerTimes, AreThoseOfChangesThatWaited) {
  constexpr const char* kOne = "2026-03-01T12:00:01Z";
  constexpr const char* kTwo = "2026-03-01T12:00:02Z";
  const std::string one = kOne, two = kTwo;
  const struct {
    const char* name;
    std::vector<std::string> steps;
    std::string times;
  } cases[] = {
      {"nothing", {}, ""},
      {"one change", {"+web " + one}, one},
      {"two changes of a Service", {"+web " + one, "+web " + two}, one + " " + two},
      {"two Services", {"+web " + two, "+api " + one}, one + " " + two},
      {"no annotation", {"+web"}, ""},
      {"no time", {"+web yesterday"}, ""},
      {"before this process", {"+web 2026-03-01T12:00:00Z"}, ""},
      {"a slice is gone", {"+web " + one, "-web"}, ""},
      {"only that Service's are dropped", {"+web " + one, "+api " + two, "-web"}, two},
      {"what comes later counts again", {"+web " + one, "-web", "+web " + two}, two},
  };
  for (const auto& c : cases) EXPECT_EQ(taken(c.steps), c.times) << c.name;
}

}  // namespace
}  // namespace proxima::proxy
