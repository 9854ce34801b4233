// SPDX-License-Identifier: Apache-2.0
#include "agents/scale_plan.h"

#include <gtest/gtest.h>

#include <sstream>

namespace proxima::agents {
namespace {

struct ScaleRow {
  const char* name;
  const char* present;  // zone:number, '!' not ready
  const char* taken;    // further numbers in use
  std::map<std::string, std::size_t> wanted;
  const char* plan;
};

const ScaleRow kScales[] = {
    {"has what it should have", "a:1 b:2", "", {{"a", 1}, {"b", 1}}, ""},
    {"makes what is missing", "a:1", "", {{"a", 2}, {"b", 2}}, "+web-2@a +web-3@b +web-4@b"},
    {"gives no name twice", "a:1", "2 3", {{"a", 3}}, "+web-4@a +web-5@a"},
    {"fills gaps", "a:2", "", {{"a", 2}}, "+web-1@a"},
    {"takes the highest number first", "a:2 a:10 a:9", "", {{"a", 1}}, "-web-10 -web-9"},
    {"takes what is not ready first", "a:1! a:2 a:3", "", {{"a", 2}}, "-web-1"},
    {"leaves other zones alone", "a:1 b:2 b:3", "", {{"a", 0}}, "-web-1"},
    {"moves from one zone to another", "a:1 a:2", "", {{"a", 1}, {"b", 1}}, "+web-3@b -web-2"},
    {"makes the first ones", "", "", {{"b", 1}}, "+web-1@b"},
};

TEST(ScalePlan, FollowsTheTable) {
  for (const ScaleRow& row : kScales) {
    std::vector<ScaledPod> present;
    std::set<std::string> taken;
    std::istringstream words(row.present);
    for (std::string word; words >> word;) {
      const bool ready = !word.ends_with('!');
      if (!ready) word.pop_back();
      present.push_back({"web-" + word.substr(2), word.substr(0, 1), ready});
      taken.insert(present.back().name);
    }
    std::istringstream numbers(row.taken);
    for (std::string number; numbers >> number;) taken.insert("web-" + number);
    const ScalePlan plan = plan_scale("web", present, taken, row.wanted);
    std::string text;
    for (const auto& [name, zone] : plan.created) text += " +" + name + "@" + zone;
    for (const std::string& name : plan.deleted) text += " -" + name;
    EXPECT_EQ(text.empty() ? text : text.substr(1), row.plan) << row.name;
  }
}

}  // namespace
}  // namespace proxima::agents
