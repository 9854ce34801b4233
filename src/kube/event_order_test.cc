// SPDX-License-Identifier: Apache-2.0
#include "kube/event_order.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace proxima::kube {
namespace {

// Plays a story over one cache. "L10" a list at 10 with nothing, "B12" a bookmark, "a11" object a
// changed at 11, "a12-" deleted at 12. What each event came to: "." applied, "o" old, "?" unsure.
std::string play(const std::string& story, std::string* resume = nullptr) {
  EventOrder order;
  std::map<std::string, Version> cache;
  std::string out;
  std::istringstream words(story);
  for (std::string word; words >> word;) {
    const std::string rest = word.substr(1, word.find('-') - 1);
    if (word[0] == 'L') {
      order.listed(rest);
    } else if (word[0] == 'B') {
      order.bookmark(rest);
    } else {
      const std::string name = word.substr(0, 1);
      const auto kind = word.ends_with('-') ? EventKind::Deleted : EventKind::Changed;
      const auto found = cache.find(name);
      const auto cached = found == cache.end() ? std::nullopt : std::optional(found->second);
      const Version version = parse_version(rest);
      const News news = order.judge(kind, {"ns", name}, version, cached);
      out += news == News::Apply ? "." : news == News::Old ? "o" : "?";
      if (news == News::Unsure) continue;
      order.seen(kind, {"ns", name}, version);
      if (news == News::Old) continue;
      if (kind == EventKind::Deleted) {
        cache.erase(name);
      } else {
        cache[name] = version;
      }
    }
  }
  if (resume != nullptr) *resume = order.resume_version();
  return out;
}

TEST(EventOrder, TellsNewsFromOldStories) {
  const struct {
    const char* sentence;
    const char* story;
    const char* came_to;
  } rows[] = {
      {"in order", "L10 a11 b12 a13 b14-", "...."},
      {"told twice", "L10 a11 a11 a12- a12-", ".o.o"},
      {"an older version after a newer one", "L10 a12 a11", ".o"},
      {"what the list covers", "L10 a9 b10 c8-", "ooo"},
      {"what a bookmark covers", "L10 B20 a15 b20 c21", "oo."},
      {"a bookmark that is old itself", "L10 B5 a11", "."},
      {"changed places among different objects", "L10 b12 a11 c13", "..."},
      {"deleted before it was made", "L10 a12- a11", "oo"},
      {"made again after a deletion", "L10 a11 a12- a13", "..."},
      {"a replay of a life", "L10 a11 a12- a11 a12-", "..oo"},
      {"a new object from long ago", "L10 b11 b12 b13 b14 b15 b16 b17 b18 b19 b20 a11",
       "..........?"},
      {"a deletion from long ago", "L10 b11 b12 b13 b14 b15 b16 b17 b18 b19 b20 a11-",
       "..........o"},
      {"a late change of an object that is there",
       "L10 a11 b12 b13 b14 b15 b16 b17 b18 b19 b20 b22 a13", "............"},
      {"deleted with the version that it had", "L10 a11 a11-", ".."},
      {"versions that are no numbers", "L10 ax ax", ".."},
  };
  for (const auto& row : rows) EXPECT_EQ(play(row.story), row.came_to) << row.sentence;
}

TEST(EventOrder, ResumesBeforeTheLastFewEvents) {
  const struct {
    const char* story;
    const char* resume;
  } rows[] = {
      {"L10", "10"},
      {"L10 a11 a12", "10"},
      {"L10 a11 a12 a13 a14 a15 a16 a17 a18", "10"},
      {"L10 a11 a12 a13 a14 a15 a16 a17 a18 a19", "11"},
      {"L10 a11 a12 B30", "30"},
      {"Lopaque", "opaque"},
      {"Lopaque Bother", "other"},
  };
  for (const auto& row : rows) {
    std::string resume;
    play(row.story, &resume);
    EXPECT_EQ(resume, row.resume) << row.story;
  }
}

}  // namespace
}  // namespace proxima::kube
