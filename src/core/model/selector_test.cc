// SPDX-License-Identifier: Apache-2.0
#include "core/model/selector.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace proxima::model {
namespace {

using LabelMap = std::map<std::string, std::string, std::less<>>;

bool matches(std::string_view selector, const LabelMap& labels) {
  auto parsed = Selector::parse(selector);
  EXPECT_TRUE(parsed) << selector;
  if (!parsed) return false;
  return parsed->matches([&](std::string_view key) -> std::optional<std::string_view> {
    auto found = labels.find(key);
    return found == labels.end() ? std::nullopt : std::optional<std::string_view>(found->second);
  });
}

TEST(Selector, SelectsByEveryOperator) {
  const LabelMap web = {{"app", "web"}, {"tier", ""}, {"x.io/size", "12"}, {"in", "yes"}};
  const struct {
    const char* name;
    const char* selector;
    bool selected;
  } cases[] = {
      {"nothing asked selects everything", "", true},
      {"blanks ask nothing", "  ", true},
      {"equal", "app=web", true},
      {"equal with two signs", "app==web", true},
      {"blanks around the sign", "app = web", true},
      {"another value", "app=db", false},
      {"a missing label equals nothing", "role=web", false},
      {"an empty value equals an empty value", "tier=", true},
      {"a missing label is not the empty value", "role=", false},
      {"not equal", "app!=db", true},
      {"not equal fails on the value", "app!=web", false},
      {"not equal holds for a missing label", "role!=web", true},
      {"in", "app in (db, web)", true},
      {"in without the value", "app in (db,cache)", false},
      {"in is false for a missing label", "role in (web)", false},
      {"the empty list holds the empty value", "tier in ()", true},
      {"notin", "app notin (db,cache)", true},
      {"notin with the value", "app notin (web)", false},
      {"notin holds for a missing label", "role notin (web)", true},
      {"exists", "app", true},
      {"exists with an empty value", "tier", true},
      {"does not exist", "role", false},
      {"must not exist", "!role", true},
      {"must not exist, but does", "!app", false},
      {"greater", "x.io/size>11", true},
      {"not greater", "x.io/size>12", false},
      {"less", "x.io/size < 13", true},
      {"greater by number, not by text", "x.io/size>9", true},
      {"a word is neither greater nor less", "app>1", false},
      {"a missing label is neither greater nor less", "role<1", false},
      {"all must hold", "app=web,tier,!role", true},
      {"one fails", "app=web,role", false},
      {"a key may be called in", "in=yes", true},
      {"a value may be called notin", "in!=notin", true},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(matches(c.selector, web), c.selected);
  }
}

TEST(Selector, RefusesWhatKubectlRefuses) {
  const struct {
    const char* name;
    std::string selector;
  } cases[] = {
      {"a comma at the end", "app=web,"},
      {"a comma at the start", ",app=web"},
      {"two words", "app web"},
      {"two values", "app=web=db"},
      {"an operator without a key", "=web"},
      {"only a negation", "!"},
      {"negation with a value", "!app=web"},
      {"in without a list", "app in"},
      {"in with a bare value", "app in web"},
      {"a list that does not end", "app in (web"},
      {"blanks in a list without commas", "app in (a b)"},
      {"greater than a word", "size>many"},
      {"greater than nothing", "size>"},
      {"a key that ends with a dash", "app-=x"},
      {"a key with an upper-case prefix", "X.io/size=1"},
      {"a key with two slashes", "a/b/c=1"},
      {"a value with a slash", "app=a/b"},
      {"a value longer than 63 bytes", "app=" + std::string(64, 'a')},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    auto parsed = Selector::parse(c.selector);
    ASSERT_FALSE(parsed);
    EXPECT_NE(parsed.error().message.find("not a label selector"), std::string::npos);
  }
}

TEST(Selector, KeepsItsRequirementsInOrder) {
  auto parsed = Selector::parse("b in (z,a),!c");
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->requirements().size(), 2U);
  EXPECT_EQ(parsed->requirements()[0].key, "b");
  EXPECT_EQ(parsed->requirements()[0].values, (std::vector<std::string>{"a", "z"}));
  EXPECT_EQ(parsed->requirements()[1].op, SelectorOperator::DoesNotExist);
}

}  // namespace
}  // namespace proxima::model
