// SPDX-License-Identifier: Apache-2.0
#include "core/policy/topology_keys.h"

#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "support/number_words.h"

namespace proxima::policy {
namespace {

using enum Reason;
using test::places_in_list;

std::vector<std::string_view> words(std::string_view text, char separator) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    result.push_back(text.substr(0, text.find(separator)));
    text.remove_prefix(std::min(text.size(), result.back().size() + 1));
  }
  return result;
}

// "host=n1,zone=Z1": a value may be empty; a key that is not there is a missing label.
class Labels {
 public:
  explicit Labels(std::string_view text) {
    for (const auto pair : words(text, ',')) {
      const auto equals = pair.find('=');
      values_[std::string(pair.substr(0, equals))] = std::string(pair.substr(equals + 1));
    }
  }
  // Equal texts get equal numbers, as interning would give them.
  std::uint32_t operator[](std::string_view key) const {
    static std::map<std::string, std::uint32_t> numbers;
    const auto found = values_.find(std::string(key));
    if (found == values_.end()) return kNoValue;
    return numbers.emplace(found->second, static_cast<std::uint32_t>(numbers.size())).first->second;
  }
  bool empty() const { return values_.empty(); }

 private:
  std::map<std::string, std::string> values_;
};

TopologyKeysChoice choose(std::string_view node, std::string_view keys, std::string_view given) {
  const Labels node_labels(node);
  std::vector<Labels> endpoints;
  for (const auto word : words(given, ' ')) endpoints.emplace_back(word);
  const auto key_list = words(keys, ' ');
  return choose_by_topology_keys(
      {.keys = key_list,
       .node_known = !node_labels.empty(),
       .node_label = [&](std::string_view key) { return node_labels[key]; },
       .endpoint_label = [&](std::size_t i, std::string_view key) { return endpoints[i][key]; },
       .endpoint_count = endpoints.size()});
}

std::string codes(const std::vector<Note>& notes) {
  std::string text;
  for (const Note& note : notes) {
    text += (text.empty() ? "" : " ") + std::string(note.subject) + ":" +
            std::string(text_of(note.reason).code);
  }
  return text;
}

// Nodes n1 and n2 stand in zone Z1, n3 and n4 in Z2; two endpoints on each.
constexpr const char* kEight =
    "host=n1,zone=Z1 host=n1,zone=Z1 host=n2,zone=Z1 host=n2,zone=Z1 "
    "host=n3,zone=Z2 host=n3,zone=Z2 host=n4,zone=Z2 host=n4,zone=Z2";
constexpr const char* kFour = "host=n1,zone=Z1 host=n1,zone=Z1 host=n2,zone=Z1 host=n2,zone=Z1";
constexpr const char* kAll = "1 2 3 4 5 6 7 8";

TEST(TopologyKeys, TakeTheFirstKeyWithAMatch) {
  const struct {
    const char* name;
    const char* node;
    const char* keys;
    const char* given;
    const char* chosen;
    Reason why;
    const char* subject;
  } cases[] = {
      // clang-format off
      // name                          node               keys           given                      chosen     why                       subject
      {"no keys, no constraint",       "host=n1,zone=Z1", "",            kEight,                    kAll,      ClusterWide,              ""},
      {"own node",                     "host=n1,zone=Z1", "host",        kEight,                    "1 2",     TopologyKeyMatched,       "host"},
      {"strict end: none on its node", "host=n3,zone=Z2", "host",        kFour,                     "",        NoTopologyKeyMatched,     ""},
      {"own zone",                     "host=n2,zone=Z1", "zone",        kEight,                    "1 2 3 4", TopologyKeyMatched,       "zone"},
      {"node, then zone",              "host=n5,zone=Z2", "host zone",   kEight,                    "5 6 7 8", TopologyKeyMatched,       "zone"},
      {"strict end: nor in its zone",  "host=n5,zone=Z3", "host zone",   kEight,                    "",        NoTopologyKeyMatched,     ""},
      {"stops before the catch-all",   "host=n1,zone=Z1", "host *",      kEight,                    "1 2",     TopologyKeyMatched,       "host"},
      {"reaches the catch-all",        "host=n5,zone=Z3", "host zone *", kEight,                    kAll,      TopologyKeyCatchAll,      "*"},
      {"unknown node, catch-all",      "",                "host *",      kFour,                     "1 2 3 4", NodeLabelsUnknownUsesAll, "*"},
      {"unknown node, strict end",     "",                "host zone",   kFour,                     "",        NodeLabelsUnknownRejects, ""},
      {"unknown node, no keys",        "",                "",            kFour,                     "1 2 3 4", ClusterWide,              ""},
      {"any label key",                "rack=r7",         "rack",        "rack=r1 rack=r7 host=n1", "2",       TopologyKeyMatched,       "rack"},
      {"an empty value is a value",    "rack=",           "rack",        "rack= rack=r1 host=n1",   "1",       TopologyKeyMatched,       "rack"},
      {"a missing label equals none",  "host=n1",         "rack",        "host=n1 zone=Z1",         "",        NoTopologyKeyMatched,     ""},
      {"nothing to choose from",       "host=n1",         "host *",      "",                        "",        NoneReady,                ""},
      // clang-format on
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const TopologyKeysChoice got = choose(c.node, c.keys, c.given);
    EXPECT_EQ(places_in_list(got.endpoints), c.chosen);
    EXPECT_EQ(text_of(got.why.reason).code, text_of(c.why).code);
    EXPECT_EQ(got.why.subject, c.subject);
    EXPECT_EQ(got.why.count, static_cast<std::int64_t>(got.endpoints.size()));
  }
}

TEST(TopologyKeys, TellWhichKeysWerePassedOver) {
  const struct {
    const char* name;
    const char* node;
    const char* keys;
    const char* passed_over;
  } cases[] = {
      {"none when the first matches", "host=n1,zone=Z1", "host zone *", ""},
      {"one without an endpoint", "host=n5,zone=Z1", "host zone", "host:topology_key_no_endpoint"},
      {"one that the node lacks", "host=n1", "rack host", "rack:topology_key_not_on_node"},
      {"all, in order, before giving up", "host=n5", "rack host",
       "rack:topology_key_not_on_node host:topology_key_no_endpoint"},
      {"all, in order, before the catch-all", "host=n5", "host rack *",
       "host:topology_key_no_endpoint rack:topology_key_not_on_node"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(codes(choose(c.node, c.keys, kFour).passed_over), c.passed_over);
  }
}

}  // namespace
}  // namespace proxima::policy
