// SPDX-License-Identifier: Apache-2.0
#include "kube/list_page.h"

#include <gtest/gtest.h>

namespace proxima::kube {
namespace {

// "item|item; version continue", or the error. `piece`: how many bytes come at a time.
std::string read(std::string_view body, std::size_t piece, std::size_t max_item = 1000) {
  ListPageReader reader(max_item);
  std::string out;
  const auto take = [&](std::string_view item) {
    out += (out.empty() ? "" : "|") + std::string(item);
  };
  for (std::size_t at = 0; at < body.size(); at += piece) {
    const auto fed = reader.feed(body.substr(at, piece), take);
    if (!fed) return fed.error().message;
  }
  const auto meta = reader.finish(take);
  if (!meta) return meta.error().message;
  return out + "; " + meta->resource_version + " " + meta->continue_token;
}

TEST(ListPage, ReadsTheSameHoweverItIsCut) {
  const struct {
    const char* body;
    const char* read;
  } rows[] = {
      {R"({"kind":"PodList","metadata":{"resourceVersion":"7","continue":"t"},"items":[{"a":1},{"b":"]}"}]})",
       R"({"a":1}|{"b":"]}"}; 7 t)"},
      {"\n{ \"items\" : [ {} , {} ] , \"metadata\" : { \"resourceVersion\" : \"8\" } }\n ",
       "{}|{}; 8 "},
      {R"({"items":null,"metadata":{"resourceVersion":"9"}})", "; 9 "},
      {R"({"items":[],"metadata":{"continue":"x"},"more":[1,2,{"items":[{}]}],"n":12})", ";  x"},
      {"", "the answer is not a list: it is cut off"},
      {"[]", "the answer is not a list: it is broken"},
      {R"({"items":[{"a":1)", "the answer is not a list: it is cut off"},
      {R"({"items":[{}],"metadata":{"resourceVersion":"1"})",
       "the answer is not a list: it is cut off"},
      {R"({"metadata":{"resourceVersion":"1"}})", "the answer is not a list: it has no items"},
      {R"({"items":[]})", "the answer is not a list: its metadata cannot be read"},
      {R"({"items":[{} {}],"metadata":{}})", "the answer is not a list: it is broken"},
      {R"({"items":[3],"metadata":{}})", "the answer is not a list: it is broken"},
      {R"({"items":[],"metadata":{}} x)", "the answer is not a list: it is broken"},
      {R"({items:[]})", "the answer is not a list: it is broken"},
  };
  for (const auto& row : rows)
    for (const std::size_t piece : {1U, 2U, 3U, 7U, 64U, 1000U})
      EXPECT_EQ(read(row.body, piece), row.read) << row.body << " by " << piece;
}

TEST(ListPage, RefusesAnItemThatNeverEnds) {
  const std::string body = R"({"items":[{"a":")" + std::string(5000, 'x');
  for (const std::size_t piece : {1U, 100U, 10'000U})
    EXPECT_EQ(read(body, piece), "the answer is not a list: an item is larger than 1000 bytes");
}

}  // namespace
}  // namespace proxima::kube
