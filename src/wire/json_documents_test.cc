// SPDX-License-Identifier: Apache-2.0
#include "wire/json_documents.h"

#include <gtest/gtest.h>

#include <string>

#include "wire/padded_text.h"

namespace proxima::wire {
namespace {

// "PodList/v1 [{1}|{2}] !problem" for each document, one a line.
std::string documents_of(const std::string& given) {
  const PaddedText padded(given);
  JsonDocuments documents(padded.text());
  std::string out;
  while (const auto document = documents.next()) {
    if (!out.empty()) out += '\n';
    out += std::string(document->kind) + "/" + std::string(document->api_version);
    out += document->is_list ? " [" : " (";
    for (std::size_t i = 0; i < document->items.size(); ++i)
      out += (i == 0 ? "" : "|") + std::string(document->items[i].of(padded.text()));
    out += document->is_list ? "]" : ")";
    for (const std::string& problem : document->problems) out += " !" + problem;
  }
  return out;
}

TEST(JsonDocuments, FindsDocumentsAndItems) {
  const struct {
    const char* name;
    std::string text;
    std::string found;
  } cases[] = {
      {"nothing", " \n", ""},
      {"one object", R"({"kind":"Pod","apiVersion":"v1"})",
       R"(Pod/v1 ({"kind":"Pod","apiVersion":"v1"}))"},
      {"a list with its kind last", R"({"items": [ {"a":1}, {"b":2} ], "kind":"List"})",
       R"(List/ [{"a":1}|{"b":2}])"},
      {"a list with its kind first", R"({"kind":"PodList","apiVersion":"v1","items":[{}]})",
       "PodList/v1 [{}]"},
      {"an empty list", R"({"items":[],"kind":"List"})", "List/ []"},
      {"an array", "[{},{}]", "/ [{}|{}]"},
      {"items of what is no list", R"({"kind":"Menu","items":[{}]})",
       R"(Menu/ ({"kind":"Menu","items":[{}]}))"},
      {"one after another", "{}{}", "/ ({})\n/ ({})"},
      {"one a line", "{}\n{}\n", "/ ({})\n/ ({})"},
      {"with YAML's separators", "{}\n---\n{}", "/ ({})\n/ ({})"},
      {"nested keys do not count", R"({"metadata":{"kind":"X","items":[{}]},"kind":"Pod"})",
       R"(Pod/ ({"metadata":{"kind":"X","items":[{}]},"kind":"Pod"}))"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(documents_of(c.text), c.found);
  }
}

TEST(JsonDocuments, SaysWhereAStructureBreaksAndKeepsWhatItFound) {
  const struct {
    const char* name;
    std::string text;
    std::string found;
  } cases[] = {
      {"cut off inside an item", R"({"items":[{"a":1},{"b")",
       R"(/ [{"a":1}] !the text ends inside item 2)"},
      {"cut off after an item", R"({"items":[{"a":1})",
       R"(/ [{"a":1}] !expected ',' or ']' after item 1 at line 1)"},
      {"cut off inside a member", "{\"kind\":\"Pod\",\n\"spec\":{",
       "Pod/ () !the text ends inside \"spec\""},
      {"a missing comma between items", R"({"items":[{} {}],"kind":"List"})",
       "List/ [{}|{}] !expected ',' or ']' after item 1 at line 1"},
      {"a missing colon", "{\n\"kind\" \"Pod\"}\n{}",
       "/ () !expected \"key\": value at line 2\n/ ({})"},
      {"rubbish between documents", "{}\nrubbish\n{}",
       "/ ({})\n/ () !neither an object nor an array at line 2\n/ ({})"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(documents_of(c.text), c.found);
  }
}

TEST(JsonDocuments, GivesUpAfterManyBrokenDocuments) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "{\"a\":{\n";
  const PaddedText padded(text);
  JsonDocuments documents(padded.text());
  std::size_t count = 0;
  while (documents.next()) ++count;
  EXPECT_EQ(count, kMaxBrokenDocuments);
}

TEST(JsonDocuments, FindsTheItemsThatABrokenOneSwallowed) {
  const std::string text =
      "[\n"
      "    {\"a\": {\"b\": 1},\n"
      "    {\"c\": 2},\n"
      "    {\"d\": 3}\n"
      "]";
  const PaddedText padded(text);
  const std::size_t begin = text.find('{');
  const auto parts = split_broken_item(padded.text(), {begin, text.size()});
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[1].of(text), "{\"c\": 2}");
  EXPECT_EQ(parts[2].of(text), "{\"d\": 3}");
}

TEST(JsonDocuments, LeavesABrokenItemWholeWhenThereIsNothingToGoBy) {
  const PaddedText padded("[{\"a\":},{\"b\":1}]");
  EXPECT_EQ(split_broken_item(padded.text(), {1, 7}).size(), 1U);
}

}  // namespace
}  // namespace proxima::wire
